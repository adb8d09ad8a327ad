import type { BrokerErrorCode, RefusalCode } from '@doompi-sandbox/broker';
import type { Explanations } from './explanation.ts';

export const BROKER_MESSAGES: Explanations<BrokerErrorCode> = {
  BROKER_SOCKET_PATH_TOO_LONG: {
    meaning: "The path of the broker's Unix socket does not fit into the 108 bytes that the kernel has for it.",
    advice: 'Set `TMPDIR` to a shorter directory.',
  },
  BROKER_SOCKET_DIRECTORY_UNSAFE: {
    meaning: "The directory of the broker's socket is missing, belongs to another user, or is open to others.",
    advice: 'Set `XDG_RUNTIME_DIR` or `TMPDIR` to a directory of your own with mode 0700.',
  },
  BROKER_SOCKET_PATH_TAKEN: {
    meaning: "Something that is not a stale socket of this program is at the path of the broker's socket.",
    advice: 'The message names the path. Move away what is there.',
  },
  BROKER_LISTEN_FAILED: {
    meaning: "The operating system refused the broker's socket.",
    advice: 'The cause has its reason. A full disk, a read-only file system and a limit on open files are the usual ones.',
  },
  BROKER_UNKNOWN_PROVIDER: {
    meaning: '`--upstream` names a provider that the broker does not know.',
    advice: 'Use the provider id of the agent, such as `anthropic` or `openai`.',
  },
  BROKER_UPSTREAM_REFUSED: {
    meaning:
      'The base URL of an `--upstream` is not one that a key may be sent to: https anywhere, plain http to loopback only, without credentials, query or fragment.',
    advice: 'Correct the URL.',
  },
  BROKER_CREDENTIAL_INVALID: {
    meaning: 'The value of a key variable cannot be sent in an HTTP header.',
    advice:
      'Set the variable again. A line feed or a character from a word processor in the middle of the key is the usual reason.',
  },
  BROKER_SESSION_EXISTS: {
    meaning: 'A live session of the same broker has this id.',
    advice: 'Open sessions with ids of their own. The command never sees this error.',
  },
  BROKER_CLOSED: {
    meaning: 'The broker was closed before it was asked.',
    advice: 'Start a new broker. The command never sees this error.',
  },
};

export const REFUSAL_MESSAGES: Explanations<RefusalCode> = {
  unauthorized: {
    meaning: 'A request had no valid session token. Programs that find a dummy key and try it are the usual reason.',
    advice: 'Nothing, unless the agent itself complains: then start a new session.',
  },
  credential_conflict: {
    meaning: 'A request carried a second credential beside its session token, so it is not clear which one it wants to use.',
    advice: 'Log out of the provider inside the session, or take the key out of the variables of the host.',
  },
  unknown_provider: {
    meaning: 'The path of a request names no provider.',
    advice: 'Leave the base URL of the provider as the session sets it.',
  },
  provider_not_granted: {
    meaning: 'A session token was used for another provider than the one it stands for.',
    advice: 'Nothing: each token opens one provider, and this request used the wrong one.',
  },
  path_not_allowed: {
    meaning: "The method and path are no part of the provider's API that an agent needs, such as administration or billing.",
    advice: 'Nothing, if the agent works. Otherwise report the path: this version may not know a new API.',
  },
  origin_not_allowed: {
    meaning: 'A web page tried to reach the broker.',
    advice: 'Find out which page of which browser inside the session did this.',
  },
  host_not_allowed: {
    meaning: 'The `Host` header of a request does not name the loopback interface, as in DNS rebinding.',
    advice: 'Find out which program inside the session did this.',
  },
  invalid_target: {
    meaning: 'The target of a request is not a plain path below a provider.',
    advice: 'Nothing: no agent sends such a request.',
  },
  invalid_request: {
    meaning: 'A request cannot be forwarded as it is, for instance because its framing is ambiguous.',
    advice: 'Nothing: no agent sends such a request.',
  },
  headers_too_large: {
    meaning: 'The header section of a request is larger than the broker takes.',
    advice: 'Find out which program inside the session did this.',
  },
  expectation_not_supported: {
    meaning: 'A request expects something else than `100-continue`.',
    advice: 'Nothing: no agent sends such a request.',
  },
  upgrade_not_supported: {
    meaning: 'A request asked for another protocol, such as WebSocket. The broker speaks HTTP/1.1.',
    advice: 'Choose a transport of the provider that is plain HTTP.',
  },
  connect_not_supported: {
    meaning: 'A request wanted to use the broker as a tunnel.',
    advice: 'Nothing: the broker is no proxy.',
  },
  upstream_unreachable: {
    meaning: 'The host could not connect to the provider.',
    advice: "Check the host's network. The agent tries again.",
  },
  upstream_unresolved: {
    meaning: 'The host could not resolve the name of the provider.',
    advice: "Check the host's DNS. The agent tries again.",
  },
  upstream_timeout: {
    meaning: 'The provider did not answer in time.',
    advice: 'Nothing: the agent tries again.',
  },
  upstream_lost: {
    meaning: 'The connection to the provider broke before its answer.',
    advice: 'Nothing: the agent tries again.',
  },
  upstream_certificate: {
    meaning: 'The host does not accept the TLS certificate of the provider.',
    advice: 'With a certificate authority of your own, set `NODE_EXTRA_CA_CERTS` on the host. Certificates are always verified.',
  },
  upstream_invalid: {
    meaning: "The provider's answer is not valid HTTP.",
    advice: 'Look at what lies between: a proxy or an `--upstream` that speaks something else.',
  },
  upstream_redirect: {
    meaning: 'The provider answered with a redirect. It is never followed, because the key would go with it.',
    advice: 'Correct the `--upstream`, if you gave one.',
  },
};
