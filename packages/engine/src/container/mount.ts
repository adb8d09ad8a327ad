import { csvField } from './csv-field.ts';

/** A directory, file or socket of the host. */
export interface BindMount {
  readonly type: 'bind';
  /** Absolute path on the host. It must exist: the engine refuses one that does not. */
  readonly source: string;
  /** Absolute path in the container. */
  readonly target: string;
  /** Default false. */
  readonly readOnly?: boolean;
  /** SELinux: gives the files a label that containers may use, for all of them or for this one alone. Podman only. */
  readonly relabel?: 'shared' | 'private';
}

/** A named volume, created by the engine when it is not there. */
export interface VolumeMount {
  readonly type: 'volume';
  readonly source: string;
  readonly target: string;
  /** Default false. */
  readonly readOnly?: boolean;
  /** Set when docker creates the volume; one that is there keeps its own. For another engine create it first. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** A file system in memory. */
export interface TmpfsMount {
  readonly type: 'tmpfs';
  readonly target: string;
  /** Mount options, such as `exec,mode=1777,size=256m`. Docker's default is `noexec`. */
  readonly options?: string;
}

export type Mount = BindMount | VolumeMount | TmpfsMount;

const assertPath = (field: string, value: string): void => {
  if (value === '' || value.includes('\0') || value.includes('\r\n'))
    throw new TypeError(
      `${field}: expected a text without NUL and without CR LF (the engine would drop the CR), got ${JSON.stringify(value)}`,
    );
};

const assertAbsolute = (field: string, value: string): void => {
  assertPath(field, value);
  if (!value.startsWith('/')) throw new TypeError(`${field}: expected an absolute path, got ${JSON.stringify(value)}`);
};

/**
 * Value of `--mount`. The engine reads it as one RFC 4180 record, so that a path may hold anything: colon, comma, quote, newline.
 * @throws TypeError for a relative or empty path, or one with NUL or CR LF
 */
export const mountArgument = (mount: BindMount | VolumeMount): string => {
  if (mount.type === 'bind') assertAbsolute('mount.source', mount.source);
  else assertPath('mount.source', mount.source);
  assertAbsolute('mount.target', mount.target);
  const fields = [`type=${mount.type}`, `source=${mount.source}`, `target=${mount.target}`];
  if (mount.readOnly === true) fields.push('readonly');
  if (mount.type === 'bind' && mount.relabel !== undefined) fields.push(`relabel=${mount.relabel}`);
  if (mount.type === 'volume')
    fields.push(...Object.entries(mount.labels ?? {}).map(([name, value]) => `volume-label=${name}=${value}`));
  return fields.map(csvField).join(',');
};

/** The option of `docker run` for a mount, and its value. */
export const mountFlag = (mount: Mount): readonly [string, string] => {
  if (mount.type !== 'tmpfs') return ['--mount', mountArgument(mount)];
  assertAbsolute('mount.target', mount.target);
  // `--mount type=tmpfs` knows neither exec nor other mount options; `--tmpfs` does, and splits at the first colon.
  if (mount.target.includes(':'))
    throw new TypeError(`mount.target: expected a tmpfs path without a colon, got ${JSON.stringify(mount.target)}`);
  return ['--tmpfs', mount.options === undefined ? mount.target : `${mount.target}:${mount.options}`];
};
