/** Whether the client itself obeys this variable, so that it cannot carry another value into a container. */
export const isClientVariable = (name: string): boolean => name === 'PATH' || name === 'HOME' || name.startsWith('DOCKER_');
