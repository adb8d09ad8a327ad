// The edge of this package: Pi hands an extension no environment and no output of its own.
import { env, stderr } from 'node:process';
import { SESSION_DIRECTORY } from '@doompi-sandbox/contract';
import { createSandboxExtension, type SandboxExtension } from './extension.ts';

/** The extension for this process and for the session directory that the contract names. */
export const activateSandboxExtension: SandboxExtension = createSandboxExtension({
  environment: env,
  sessionDirectory: SESSION_DIRECTORY,
  print: (line) => void stderr.write(`${line}\n`),
});
