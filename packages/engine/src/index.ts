export const placeholder: string = 'engine';
