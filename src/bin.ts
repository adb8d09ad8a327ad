#!/usr/bin/env node
import manifest from '../package.json' with { type: 'json' };

/** Older Node fails on the first import with a stack trace, so the version is checked before anything is loaded. */
const FLOOR = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < FLOOR[0] || (major === FLOOR[0] && minor < FLOOR[1])) {
  process.stderr.write(
    `doompi-sandbox: error: Node ${FLOOR.join('.')} or newer is needed, this is ${process.versions.node} [CLI_NODE_UNSUPPORTED]\n`,
  );
  process.exitCode = 125;
} else {
  const { main } = await import('@doompi-sandbox/cli');
  await main(manifest.version);
}
