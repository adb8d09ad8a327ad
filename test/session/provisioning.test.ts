import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { LABELS } from '@doompi-sandbox/contract';
import { findProgram } from '@doompi-sandbox/engine';
import { stubPrograms } from '@doompi-sandbox/testkit';
import { expect, it } from 'vitest';
import { sessionRepository, startSandbox } from '../helpers/sandbox.ts';
import { useStandIn } from '../helpers/stand-in.ts';

const agent = useStandIn();

const OWNER = [LABELS.uid, LABELS.bootId, LABELS.pidNamespace, LABELS.launcherPid, LABELS.launcherStart];

it('S13: a container that only fills a volume tells whose it is, as kill -9 may leave it behind', async () => {
  const path = process.env['PATH'] ?? '';
  const docker = findProgram('docker', { path });
  const log = 'case "$1" in create) for word; do echo "$word"; done >> "$0.created" ;; esac';
  await using stubs = await stubPrograms({ docker: `${log}\nexec '${docker}' "$@"` });
  await using repository = await sessionRepository();
  const running = startSandbox([...agent(), '--', 'true'], {
    cwd: repository.path,
    environment: { PATH: `${stubs.directory}${delimiter}${path}` },
  });
  await running.closed;
  const created = (await readFile(join(stubs.directory, 'docker.created'), 'utf8')).split('\n');
  const containers = created.filter((word) => word === 'create').length;
  expect(containers).toBeGreaterThan(0);
  for (const label of [LABELS.repository, LABELS.session, ...OWNER])
    expect(created.filter((word) => word.startsWith(`${label}=`))).toHaveLength(containers);
});
