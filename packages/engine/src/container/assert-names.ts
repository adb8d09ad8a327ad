/** What an engine's command takes for a container's id or name, or a volume's name, and for nothing else. */
export const assertObjectName = (field: string, name: string, what: string): void => {
  if (!/^[a-zA-Z0-9][\w.-]*$/.test(name)) throw new TypeError(`${field}: expected ${what}, got ${JSON.stringify(name)}`);
};

/** A variable's name without a value. What was given instead may hold a secret, so only its length is told. */
export const assertVariableName = (name: string): void => {
  if (!/^[^=\s\0]+$/.test(name))
    throw new TypeError(`environment: expected names of variables without values, got an entry of ${name.length} characters`);
};
