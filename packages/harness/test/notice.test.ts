import { expect, it } from 'vitest';
import { formatNotice, type Notice } from '../src/index.ts';

const NOTICES: readonly [Notice, RegExp][] = [
  [{ code: 'engine', engine: 'docker', version: '20.10' }, /^using docker 20\.10$/],
  [{ code: 'image-built', reference: 'r', milliseconds: 61_234 }, /in 61\.2 s$/],
  [{ code: 'image-present', reference: 'r', ageDays: 0 }, /^r is there already, built today; --refresh/],
  [{ code: 'image-present', reference: 'r', ageDays: 1 }, /, built a day ago;/],
  [{ code: 'image-present', reference: 'r', ageDays: undefined }, /^r is there already; --refresh/],
  [{ code: 'image-replaced', id: 'sha256:0123456789abcdef' }, /\(0123456789ab\)$/],
  [{ code: 'image-kept', id: 'sha256:0123456789abcdef', command: 'docker image rm x' }, /\(0123456789ab\).*: docker image rm x$/],
  [{ code: 'nothing-to-broker', variables: ['A', 'ANTHROPIC_API_KEY'] }, /none of the 2 variables .* \(ANTHROPIC_API_KEY, A\)/],
  [{ code: 'nothing-to-broker', variables: ['A', 'B', 'C', 'D', 'E', 'F', 'G'] }, /A, B, C, D, E and 2 more/],
  [{ code: 'variable-passed', variable: 'K', credential: true }, /in clear.*not brokered/],
  [{ code: 'proxy-withheld', variable: 'HTTP_PROXY', reason: 'credentials' }, /user name or password.*--env/],
  [{ code: 'transport', transport: 'tcp', passedOver: [] }, /^the session reaches this launcher by tcp$/],
  [
    { code: 'transport', transport: 'tunnel', passedOver: [{ transport: 'socket', reason: 'EPERM' }] },
    /by a tunnel through the engine's exec, because it cannot by mounted sockets \(EPERM\)$/,
  ],
  [{ code: 'loopback-opened', network: 'n' }, /every service on this host's loopback interface/],
  [{ code: 'refused', reason: 'path_not_allowed', count: 3 }, /refused 3 calls: path_not_allowed/],
];

it.each(NOTICES)('%j is one line', (notice, text) => {
  expect(formatNotice(notice)).toMatch(text);
  expect(formatNotice(notice)).not.toMatch(/[\n.]$/);
});
