import { flag, list, map, matching, name, oneOf, record, schema, type Check } from './check.ts';

const scope = oneOf('global', 'workspace', 'session');

const response = record({ description: name }, { contentType: name, schema, events: map(name, schema) });

const status = matching(/^(?:[1-5]\d{2}|default)$/, 'a status from 100 to 599 or "default"');

const parameter = record({ name, in: oneOf('path', 'query', 'header'), required: flag, schema });

const body = record({ contentType: name, required: flag, schema }, { contentTypes: list(name, 1) });

const http = record(
  {
    id: name,
    scope,
    path: matching(/^\//, 'a string that starts with "/"'),
    method: oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
    description: name,
    authentication: oneOf('none', 'owner', 'device'),
    responses: map(status, response, 1),
  },
  {
    basePath: matching(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, 'lower-case words joined by hyphens'),
    availability: name,
    parameters: list(parameter),
    body,
  },
);

const socket = record(
  {
    id: name,
    scope,
    description: name,
    service: name,
    member: name,
    direction: oneOf('client-to-server', 'server-to-client'),
    kind: oneOf('method', 'state', 'channel'),
    input: schema,
  },
  { availability: name, output: schema, errors: schema },
);

/** Shape of an API contract of version 1. */
export const apiContractShape: Check = record(
  { version: oneOf(1), http: list(http), sockets: list(socket), dynamic: list(name) },
  { protocols: map(name, name), schemas: map(name, schema), gaps: list(name) },
);
