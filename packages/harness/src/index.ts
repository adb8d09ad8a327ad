export const placeholder: string = 'harness';
