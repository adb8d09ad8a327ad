export const placeholder: string = 'cli';
