import { refuse, type Refusal } from './refusal.ts';

const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/**
 * Keeps web pages out: no request of a browser's page passes, be it cross-origin (Origin) or after its name was
 * rebound to loopback (Host). Agents in the container send neither.
 */
export const refuseNonLocal = (rawHeaders: readonly string[]): Refusal | undefined => {
  let host: string | undefined;
  let hosts = 0;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase();
    if (name === 'origin') return refuse('origin_not_allowed');
    if (name === 'host') {
      host = rawHeaders[index + 1];
      hosts += 1;
    }
  }
  return hosts === 1 && host !== undefined && LOOPBACK_HOST.test(host) ? undefined : refuse('host_not_allowed');
};
