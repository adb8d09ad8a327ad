/**
 * Machines of CI on which an engine variant cannot be: the reason, as set-up words it, and why nothing can be done about it.
 * Every other missing variant fails there.
 * @type {readonly { reason: string, why: string }[]}
 */
export const EXCUSES = [
  {
    reason: 'set-up prepares this engine only as root on Debian',
    why: 'it makes a user, installs packages and starts daemons; elsewhere the engine of the machine is tested alone',
  },
  {
    reason: 'this kernel lets no user without privileges make a user namespace',
    why: 'that is a decision about the machine, which set-up does not undo',
  },
  { reason: 'this kernel has no tun device', why: 'rootless networks need one, and it comes with the kernel' },
];

/** Whether a missing variant is accepted where `CI` is set. */
export const isExcused = (/** @type {string} */ reason) => EXCUSES.some((excuse) => reason.startsWith(excuse.reason));
