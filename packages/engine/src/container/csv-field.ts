/** One field of an RFC 4180 record; always quoted when a bare one could be read in another way. */
export const csvField = (field: string): string => (/^[\w\-./=:+@]*$/.test(field) ? field : `"${field.replaceAll('"', '""')}"`);
