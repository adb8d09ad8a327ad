/** RFC 9110 section 7.6.1 and the older names that software still sends. */
const HOP_BY_HOP: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
];

const FIXED: ReadonlySet<string> = new Set(HOP_BY_HOP);

/** Names, in lower case, that belong to one connection: the fixed ones and those that its `Connection` headers name. */
export const hopByHopNames = (rawHeaders: readonly string[]): ReadonlySet<string> => {
  let names: Set<string> | undefined;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if ((rawHeaders[index] as string).toLowerCase() !== 'connection') continue;
    for (const option of (rawHeaders[index + 1] as string).split(',')) {
      const name = option.trim().toLowerCase();
      if (name === '' || FIXED.has(name) || name === 'close') continue;
      names ??= new Set(HOP_BY_HOP);
      names.add(name);
    }
  }
  return names ?? FIXED;
};
