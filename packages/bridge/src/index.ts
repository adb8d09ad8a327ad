export const placeholder: string = 'bridge';
