/** Where an engine's server listens. */
export type Endpoint =
  | {
      readonly transport: 'unix';
      /** Absolute path of the socket. */
      readonly path: string;
    }
  | {
      readonly transport: 'tcp';
      /** Name or address, IPv6 without brackets. */
      readonly host: string;
      readonly port: number;
      readonly tls: boolean;
    }
  | {
      readonly transport: 'ssh';
      readonly host: string;
      readonly user?: string;
      /** Absent: what the person's ssh configuration says. */
      readonly port?: number;
      /** Socket on the far side; absent: the far docker command's own. */
      readonly path?: string;
    };

/** What decided the endpoint, in the order in which they are asked. */
export type EndpointSource = 'option' | 'DOCKER_HOST' | 'DOCKER_CONTEXT' | 'context' | 'rootless-socket' | 'default';
