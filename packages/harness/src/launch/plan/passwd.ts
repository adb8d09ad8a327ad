import { HOME_DIRECTORY } from '@doompi-sandbox/image';

/** Name of a user as passwd(5) and every tool that reads it take it. */
const USER_NAME = /^[a-z_][a-z0-9_-]{0,31}$/;

/** For a person whose own name is none of those. */
const DEFAULT_NAME = 'agent';

export interface PasswdUser {
  /** The person's name on the host. */
  readonly name: string | undefined;
  /** Numeric ids inside the container. */
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user's lines for passwd(5) and group(5). The image's name service reads them before its own files, so that any number is a user
 * with a name, and with the session's home: without them ssh refuses to run and Node's `os.userInfo` throws.
 */
export const passwdFiles = ({ name, uid, gid }: PasswdUser): { readonly passwd: string; readonly group: string } => {
  const user = uid === 0 ? 'root' : name !== undefined && name !== 'root' && USER_NAME.test(name) ? name : DEFAULT_NAME;
  const group = gid === 0 ? 'root' : user === 'root' ? DEFAULT_NAME : user;
  return {
    passwd: `${user}:x:${uid}:${gid}:${user}:${HOME_DIRECTORY}:/bin/bash\n`,
    group: `${group}:x:${gid}:\n`,
  };
};
