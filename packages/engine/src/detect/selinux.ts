import { readFile } from 'node:fs/promises';

/** Whether SELinux enforces its policy on this host. */
export const isSelinuxEnforcing = async (path = '/sys/fs/selinux/enforce'): Promise<boolean> =>
  readFile(path, 'utf8').then(
    (text) => text.trim() === '1',
    () => false,
  );
