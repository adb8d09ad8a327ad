import { stat } from 'node:fs/promises';

/**
 * Text that stays the same while a directory lives, whatever happens in it, and differs for a directory that is made at the same path
 * later: its inode number, which a file system uses again, and its time of birth. A file system that keeps none reports zero (statx(2));
 * there the number alone must do.
 */
export const identityOf = ({ ino, birthtimeNs }: { readonly ino: bigint; readonly birthtimeNs: bigint }): string =>
  birthtimeNs > 0n ? `${ino}-${birthtimeNs}` : String(ino);

/** Identity of the repository at a real path. */
export const repositoryIdentity = async (root: string): Promise<string> => identityOf(await stat(root, { bigint: true }));
