import type { TransportName } from '@doompi-sandbox/contract';
import type { PassedOver } from './transport/channels.ts';

/** Something the person should know about a launch. Holds names only, never the value of a variable. */
export type Notice =
  | { readonly code: 'engine'; readonly engine: string; readonly version: string }
  | { readonly code: 'engine-skipped'; readonly candidate: string; readonly reason: string }
  | { readonly code: 'image-waiting'; readonly reference: string }
  | { readonly code: 'image-building'; readonly reference: string }
  | { readonly code: 'image-pulling'; readonly reference: string }
  | { readonly code: 'image-refreshing'; readonly reference: string }
  | { readonly code: 'image-present'; readonly reference: string; readonly ageDays: number | undefined }
  | { readonly code: 'image-replaced'; readonly id: string }
  | { readonly code: 'image-kept'; readonly id: string; readonly command: string }
  | { readonly code: 'image-build-output'; readonly line: string }
  | { readonly code: 'image-built'; readonly reference: string; readonly milliseconds: number }
  | { readonly code: 'brokering'; readonly providers: readonly string[] }
  | { readonly code: 'upstream-overridden'; readonly provider: string; readonly upstream: string }
  | { readonly code: 'upstream-unused'; readonly provider: string }
  | { readonly code: 'nothing-to-broker'; readonly variables: readonly string[] }
  | { readonly code: 'broker-off' }
  | { readonly code: 'variable-passed'; readonly variable: string; readonly credential: boolean }
  | { readonly code: 'variable-unset'; readonly variable: string }
  | { readonly code: 'base-url-dropped'; readonly variable: string }
  | { readonly code: 'proxy-withheld'; readonly variable: string; readonly reason: 'credentials' | 'loopback' | 'unreadable' }
  | { readonly code: 'home-as-repository'; readonly path: string }
  | { readonly code: 'devcontainer-ignored'; readonly path: string }
  | { readonly code: 'userns-remap-dropped' }
  | { readonly code: 'shadow-skipped'; readonly path: string; readonly reason: 'symbolic-link' | 'not-a-directory' }
  | { readonly code: 'home-of-another-repository'; readonly path: string; readonly volume: string }
  | { readonly code: 'refused'; readonly reason: string; readonly count: number }
  | { readonly code: 'transport'; readonly transport: TransportName; readonly passedOver: readonly PassedOver[] }
  | { readonly code: 'loopback-opened'; readonly network: string }
  | { readonly code: 'start-waiting' }
  | { readonly code: 'starting'; readonly reference: string };

const TRANSPORTS = {
  socket: 'mounted sockets',
  tcp: 'tcp',
  tunnel: "a tunnel through the engine's exec",
} as const;

const transportText = (transport: TransportName, passedOver: readonly PassedOver[]): string => {
  const reasons = passedOver.map((each) => `${TRANSPORTS[each.transport]} (${each.reason})`).join(' and ');
  const before = reasons === '' ? '' : `, because it cannot by ${reasons}`;
  return `the session reaches this launcher by ${TRANSPORTS[transport]}${before}`;
};

export type NoticeCode = Notice['code'];

const list = (names: readonly string[]): string =>
  names.length <= 6 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`;

/** What most people use, to be named first. */
const FAMILIAR = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'];

const examples = (variables: readonly string[]): string => {
  const familiar = FAMILIAR.filter((name) => variables.includes(name));
  return list([...familiar, ...variables.filter((name) => !familiar.includes(name))]);
};

/** As the engines' own lists show it. */
const shortId = (id: string): string => id.replace(/^sha256:/, '').slice(0, 12);

const age = (days: number | undefined): string => {
  if (days === undefined) return '';
  return days === 0 ? ', built today' : `, built ${days === 1 ? 'a day' : `${days} days`} ago`;
};

const PROXY_REASONS = {
  credentials: 'it holds a user name or password; name it with --env to pass it all the same',
  loopback: 'it points at this host, which the container cannot reach under that address',
  unreadable: 'it is not a URL',
} as const;

const SHADOW_REASONS = { 'symbolic-link': 'a symbolic link', 'not-a-directory': 'not a directory' } as const;

/** One line of text for a notice, without a final full stop or line feed. */
export const formatNotice = (notice: Notice): string => {
  switch (notice.code) {
    case 'engine':
      return `using ${notice.engine} ${notice.version}`;
    case 'engine-skipped':
      return `passed over ${notice.candidate}: ${notice.reason}`;
    case 'image-waiting':
      return `waiting for another process that builds ${notice.reference}`;
    case 'image-building':
      return `building ${notice.reference} (first run for this definition)`;
    case 'image-pulling':
      return `pulling the base image ${notice.reference}`;
    case 'image-refreshing':
      return `building ${notice.reference} anew, without cache`;
    case 'image-present':
      return `${notice.reference} is there already${age(notice.ageDays)}; --refresh builds it anew`;
    case 'image-replaced':
      return `removed the image it replaces (${shortId(notice.id)})`;
    case 'image-kept':
      return `the image it replaces (${shortId(notice.id)}) is still used and stays; when it is not needed any more: ${notice.command}`;
    case 'image-build-output':
      return notice.line;
    case 'image-built':
      return `built ${notice.reference} in ${(notice.milliseconds / 1000).toFixed(1)} s`;
    case 'brokering':
      return `brokering ${list(notice.providers)}; their keys stay on the host`;
    case 'upstream-overridden':
      return `calls to ${notice.provider} go to ${notice.upstream}, as asked`;
    case 'upstream-unused':
      return `--upstream ${notice.provider} has no effect: ${notice.provider} is not brokered in this session`;
    case 'nothing-to-broker':
      return `no provider key to broker: none of the ${notice.variables.length} variables that can be brokered is set (${examples(notice.variables)}); set one, or log in inside the session`;
    case 'broker-off':
      return 'the broker is off: nothing is redirected, and no key enters unless named with --env';
    case 'variable-passed':
      return notice.credential
        ? `${notice.variable} enters the container in clear, as asked, and is not brokered`
        : `${notice.variable} enters the container, as asked`;
    case 'variable-unset':
      return `${notice.variable} was named with --env but is not set`;
    case 'base-url-dropped':
      return `${notice.variable} stays on the host and is not used; to point a provider elsewhere give --upstream PROVIDER=URL`;
    case 'proxy-withheld':
      return `${notice.variable} stays on the host: ${PROXY_REASONS[notice.reason]}`;
    case 'home-as-repository':
      return `${notice.path} is your home directory: the agent can read and change everything in it; start in a repository instead`;
    case 'devcontainer-ignored':
      return `${notice.path} is not used: this version runs every session in its own image`;
    case 'userns-remap-dropped':
      return "the session runs in the host's user namespace: docker's userns-remap would make every file belong to a subordinate user";
    case 'shadow-skipped':
      return `${notice.path} is ${SHADOW_REASONS[notice.reason]}, so it gets no volume of its own: what the agent installs there is on the host as well`;
    case 'home-of-another-repository':
      return `a new home for ${notice.path}: the one that is there (volume ${notice.volume}) belongs to another repository that was at this path`;
    case 'refused':
      return `the broker refused ${notice.count === 1 ? 'a call' : `${notice.count} calls`}: ${notice.reason}`;
    case 'transport':
      return transportText(notice.transport, notice.passedOver);
    case 'loopback-opened':
      return `the session can reach every service on this host's loopback interface: tcp on this engine needs the network ${notice.network}; --transport tunnel does not`;
    case 'start-waiting':
      return 'waiting for another session of this repository to start';
    case 'starting':
      return `starting the session in ${notice.reference}`;
  }
};
