import type { ExtensionApi } from './pi-api.ts';

const CHANNEL = 'doompi-sandbox:extension';

/**
 * Whether this is the first copy of the extension in a session of Pi; from then on it answers later copies.
 * Pi loads a file once however often it is named, but a second copy, for instance an installed package, is another file.
 * Asked over the session's own bus, because a process can hold several sessions, one after the other (reload, new session)
 * and side by side.
 */
export const firstOfSession = ({ events }: Pick<ExtensionApi, 'events'>): boolean => {
  const question = { answered: false };
  events.emit(CHANNEL, question);
  if (question.answered) return false;
  events.on(CHANNEL, (data) => {
    if (typeof data === 'object' && data !== null && 'answered' in data) data.answered = true;
  });
  return true;
};
