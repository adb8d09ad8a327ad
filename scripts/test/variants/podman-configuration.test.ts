import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from '@doompi-sandbox/testkit';
import { describe, expect, it } from 'vitest';
import { gatherPodmanFacts, podmanConfiguration, type PodmanFacts } from '../../setup/variants/podman-configuration.mjs';

const ordinary: PodmanFacts = {
  hybrid: false,
  hardLimits: { nofile: 1_048_576, nproc: 4_194_304 },
  mayRaiseLimits: false,
  configured: false,
};
const low = { nofile: 20_000, nproc: 32_768 };

describe('what podman is told', () => {
  it.each<readonly [string, Partial<PodmanFacts>, boolean, string]>([
    ['nothing, on an ordinary machine', {}, false, ''],
    ['nothing, where root may raise its limits', { hardLimits: low, mayRaiseLimits: true }, false, ''],
    [
      'the limits that there are',
      { hardLimits: low },
      false,
      '[containers]\ndefault_ulimits = ["nofile=20000:20000", "nproc=32768:32768"]\n',
    ],
    ['not the limits, without root', { hardLimits: low }, true, ''],
    ['a runtime that takes mixed cgroups', { hybrid: true }, true, '[engine]\nruntime = "runc"\n'],
    [
      'both',
      { hybrid: true, hardLimits: { ...ordinary.hardLimits, nofile: 1024 } },
      false,
      '[containers]\ndefault_ulimits = ["nofile=1024:1024"]\n[engine]\nruntime = "runc"\n',
    ],
  ])('is %s', (_name, facts, rootless, expected) => {
    expect(podmanConfiguration({ ...ordinary, ...facts }, { rootless })).toBe(expected);
  });
});

/** A machine's files below a directory. */
const machine = async (directory: string, files: Readonly<Record<string, string>>): Promise<PodmanFacts> => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  const [proc, cgroup, etc] = ['proc', 'cgroup', 'etc'].map((name) => join(directory, name)) as [string, string, string];
  return gatherPodmanFacts({ proc, cgroup, etc });
};

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max processes             96364                96364                processes
Max open files            1024                 20000                files
`;

describe('the facts of a machine', () => {
  it('are hard limits, pid_max, capabilities and cgroups', async () => {
    await using directory = await temporaryDirectory();
    const facts = await machine(directory.path, {
      'proc/self/limits': LIMITS,
      'proc/self/status': 'Name:\tnode\nCapEff:\t000001fffeffffff\n',
      'proc/sys/kernel/pid_max': '32768\n',
      'cgroup/unified/cgroup.controllers': 'hugetlb\n',
      'etc/containers/containers.conf': '',
    });
    expect(facts).toEqual({ hybrid: true, hardLimits: low, mayRaiseLimits: false, configured: true });
  });

  it('are those of a machine with cgroup v2 and all capabilities', async () => {
    await using directory = await temporaryDirectory();
    const facts = await machine(directory.path, {
      'proc/self/limits': LIMITS.replaceAll('96364', 'unlimited').replace('20000', '1048576'),
      'proc/self/status': 'CapEff:\t000001ffffffffff\n',
      'proc/sys/kernel/pid_max': '4194304\n',
      'cgroup/cgroup.controllers': 'cpu memory\n',
    });
    expect(facts).toEqual({ ...ordinary, mayRaiseLimits: true });
  });
});
