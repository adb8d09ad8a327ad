export const placeholder: string = 'broker';
