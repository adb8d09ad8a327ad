import type { LaunchPreview, PreviewMount, PreviewVariable } from '@doompi-sandbox/harness';
import { formatRows } from './table.ts';

const age = (days: number | null): string => (days === null ? '' : days === 0 ? ', built today' : `, ${days} days old`);

const image = ({ reference, present, ageDays, baseImage }: LaunchPreview['image']): string =>
  `${reference} (${present ? `present${age(ageDays)}` : `to be built on ${baseImage}`})`;

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

/** A word as a shell takes it. */
const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** A plan for a person: one row for each thing that a launch decides. */
export const formatPlan = (plan: LaunchPreview): string => {
  const { engine, repository, identity, container } = plan;
  return formatRows([
    ['engine', [`${engine.name} ${engine.serverVersion} (${engine.file}, ${engine.platform})`]],
    ['image', [image(plan.image)]],
    ['repository', [repository.root]],
    ['directory', repository.cwd === repository.root ? [] : [repository.cwd]],
    ['user', [identity.user === null ? "the image's own" : `${identity.user.uid}:${identity.user.gid}`]],
    ['command', [container.command.map(shellWord).join(' ')]],
    ['terminal', [container.tty ? 'yes' : 'no']],
    ['network', [container.network ?? "the engine's default"]],
    ['mounts', plan.mounts.map(mount)],
    ['transports', [plan.transports.join(', ')]],
    ['broker', brokered(plan.broker)],
    ['environment', plan.environment.flatMap(variable)],
  ]);
};
