export const placeholder: string = 'extension';
