import type { LaunchPreview, PreviewMount, PreviewVariable } from '@doompi-sandbox/harness';
import { imageAge } from './image-age.ts';
import { formatRows } from './table.ts';

const image = ({ reference, present, ageDays, baseImage }: LaunchPreview['image']): string =>
  `${reference} (${present ? `present${ageDays === null ? '' : `, ${imageAge(ageDays)}`}` : `to be built on ${baseImage}`})`;

const mount = ({ type, source, target, readOnly }: PreviewMount): string => {
  const from = type === 'bind' ? source : type === 'volume' ? `volume ${source}` : 'memory';
  return `${from} -> ${target}${readOnly ? ' (read-only)' : ''}`;
};

const variable = ({ name, source, value }: PreviewVariable): readonly string[] => {
  switch (source) {
    case 'token':
      return [`${name} (session token)`];
    case 'host':
      return [`${name} (the host's value)`];
    case 'sandbox':
      return [value === null ? name : `${name}=${value}`];
    case 'unset':
      return [];
  }
};

const brokered = ({ enabled, credentials }: LaunchPreview['broker']): readonly string[] => {
  if (!enabled) return ['off'];
  if (credentials.length === 0) return ['nothing to broker'];
  return credentials.map((credential) => `${credential.providers.join(', ')} (${credential.variable})`);
};

const identityText = ({ user, userns, inside }: LaunchPreview['identity']): string => {
  const ids = (each: { readonly uid: number; readonly gid: number }): string => `${each.uid}:${each.gid}`;
  const asked = user === null ? "the image's own" : ids(user);
  const seen = user !== null && ids(user) === ids(inside) ? '' : `, ${ids(inside)} inside`;
  return `${asked}${seen}${userns === null ? '' : `, user namespace ${userns}`}`;
};

/** A word as a shell takes it. */
const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** A plan for a person: one row for each thing that a launch decides. */
export const formatPlan = (plan: LaunchPreview): string => {
  const { engine, repository, identity, container } = plan;
  return formatRows([
    ['engine', [`${engine.name} ${engine.serverVersion} (${engine.file}, ${engine.platform})`]],
    ['endpoint', engine.endpoint === null ? [] : [`${engine.endpoint} (from ${engine.endpointSource ?? 'the engine'})`]],
    ['image', [image(plan.image)]],
    ['repository', [repository.root]],
    ['directory', repository.cwd === repository.root ? [] : [repository.cwd]],
    ['user', [identityText(identity)]],
    ['command', [container.command.map(shellWord).join(' ')]],
    ['terminal', [container.tty ? 'yes' : 'no']],
    ['network', [container.network ?? "the engine's default"]],
    ['mounts', plan.mounts.map(mount)],
    ['transports', [plan.transports.join(', ')]],
    ['broker', brokered(plan.broker)],
    ['environment', plan.environment.flatMap(variable)],
  ]);
};
