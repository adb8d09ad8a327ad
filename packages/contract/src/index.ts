export {
  defineApiContract,
  parseApiContract,
  type ApiBody,
  type ApiContract,
  type ApiHttpOperation,
  type ApiParameter,
  type ApiResponse,
  type ApiScope,
  type ApiSocketOperation,
  type JsonSchema,
} from './api-contract.ts';
export { insideSandbox } from './inside.ts';
export {
  BRIDGE_PORT,
  BROKER_PORT,
  BROKER_PROVIDERS,
  BROKER_SOCKET,
  LABELS,
  SANDBOX_MARKER,
  SESSION_DIRECTORY,
  SESSION_ENTRIES,
  TUNNEL_DIRECTORY,
  TUNNEL_SOCKET,
} from './names.ts';
export { redirectBaseUrl, type RedirectedProvider } from './redirect.ts';
export { formatSessionFile, parseSessionFile, type SessionFile } from './session-file.ts';
export { sandboxApiContract } from './sandbox-api-contract.ts';
export type { Channel, SocketTransport, TcpTransport, Transport, TransportName, TunnelTransport } from './transport.ts';
