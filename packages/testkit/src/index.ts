export const placeholder: string = 'testkit';
