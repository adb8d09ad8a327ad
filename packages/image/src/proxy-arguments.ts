const NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'FTP_PROXY', 'NO_PROXY', 'ALL_PROXY'];

/** Build arguments that every builder knows without a declaration and keeps out of the image; present where the host has them. */
export const proxyArguments = (environment: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    NAMES.flatMap((name) => [name, name.toLowerCase()]).flatMap((name) => {
      const value = environment[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
