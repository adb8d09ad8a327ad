import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SetupFailure } from './failure.mjs';

const MEGABYTE = 1024 * 1024;

/**
 * Throws when the file system of `path`, or of the nearest directory above it that exists, has less room than needed.
 * @param {string} path
 * @param {number} megabytes
 * @param {string} purpose
 * @returns {Promise<void>}
 */
export const needRoom = async (path, megabytes, purpose) => {
  let facts;
  try {
    facts = await statfs(path);
  } catch (error) {
    if (dirname(path) === path) throw error;
    return needRoom(dirname(path), megabytes, purpose);
  }
  const free = Math.floor((facts.bavail * facts.bsize) / MEGABYTE);
  if (free < megabytes)
    throw new SetupFailure(`Not enough disk for ${purpose}`, {
      why: `${path} has ${free} MB free, ${megabytes} MB are needed`,
      next: 'Free some space and run set-up again; it goes on where it stopped.',
    });
  return undefined;
};
