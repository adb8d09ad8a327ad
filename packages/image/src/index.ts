export const placeholder: string = 'image';
