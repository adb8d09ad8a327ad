import * as fc from 'fast-check';
import { PI_ROUTES } from '../../src/index.ts';
import { PI_REQUEST_PATHS } from './pi-requests.ts';

const words = (text: string): string[] => text.split(' ');

/** Pieces that real and hostile paths are made of. */
const piece = fc.constantFrom(
  ...words('/ // .. . ... %2e %2E %2f %2F %5c \\ ; %3b %00 %25 %252e ? # @ : a ~ [x] %0d%0a \t \u00e9 key=x & ='),
  ...words('/v1/messages /chat/completions /responses /models /models/m:generateContent /v1 /systemone /messages'),
  ...words('/.. /../ ../.. /../.. /%2e%2e/ ..%2f..%2f %2f..%2f..%2f /..;/..;/ ..\\..\\'),
  ...words('evil.test http://evil.test api.anthropic.com openrouter.ai'),
  ' ',
);
const start = fc.constantFrom(
  ...PI_ROUTES.flatMap(({ id, apis }) => [`/${id}`, ...apis.map(({ base }) => `/${id}/${new URL(base).host}`)]),
  '',
  '/',
  '/%61nthropic',
);

/** Request targets of every kind. */
const anyUrl: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(start, fc.array(piece, { maxLength: 6 })).map(([first, rest]) => first + rest.join('')) },
  { weight: 1, arbitrary: fc.webUrl() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary-ascii' }) },
);

/** Close to what is allowed: mutations of it find more than noise does. */
const nearUrl: fc.Arbitrary<string> = fc
  .tuple(
    start,
    fc.constantFrom(...words('/v1/models/ /models/ /v1/messages /chat/completions /responses')),
    fc.array(piece, { maxLength: 3 }),
    fc.constantFrom('', ':generateContent', '?beta=true'),
  )
  .map(([first, middle, rest, last]) => first + middle + rest.join('') + last);

const anyMethod = fc.constantFrom(...words('GET POST PUT DELETE PATCH HEAD OPTIONS TRACE CONNECT'));

/** What Pi itself sends. */
const piRequest = fc
  .constantFrom(...PI_ROUTES.flatMap(({ id, apis }) => apis.map(({ kind }) => `/${id}${PI_REQUEST_PATHS[kind]}`)))
  .map((url) => ({ method: 'POST', url }));

/** Requests that would be forwarded with a token, and requests that never would. */
export const anyRequest: fc.Arbitrary<{ readonly method: string; readonly url: string }> = fc.oneof(
  piRequest,
  fc.record({ method: fc.constantFrom('GET', 'POST'), url: nearUrl }),
  fc.record({ method: anyMethod, url: anyUrl }),
);

const headerName = fc.constantFrom(
  ...words('authorization Authorization x-api-key X-Goog-Api-Key api-key cf-aig-authorization cookie proxy-authorization'),
  ...words('accept content-type connection x-trace user-agent anthropic-beta origin te x-forwarded-host'),
);

/** Header values that are not the token, many of them nearly. */
export const almost = (token: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('', 'Bearer ', 'bearer', 'sk-', 'Basic dTpw', token.slice(0, -1), `${token}x`, token.toUpperCase()),
    fc.constantFrom(`${token},${token}`, `Bearer Bearer ${token}`),
    fc.string(),
  );

/** Raw headers with a loopback Host and random others. */
export const rawHeaders = (value: fc.Arbitrary<string>): fc.Arbitrary<string[]> =>
  fc.array(fc.tuple(headerName, value), { maxLength: 6 }).map((pairs) => ['Host', '127.0.0.1', ...pairs.flat()]);
