import { join } from 'node:path';
import { type StubPrograms, stubPrograms } from '@doompi-sandbox/testkit';
import { onTestFinished } from 'vitest';

/** Options of one subcommand; `=` after a name: it takes a value. */
type Options = string;

/**
 * What nerdctl's documentation lists, read on 2026-11-30: docs/command-reference.md of containerd/nerdctl at commit 0108a225
 * (nerdctl 2.x). `container` and `image` group the commands of the same name.
 */
export const NERDCTL_OPTIONS: Readonly<Record<string, Options>> = {
  version: 'f= format=',
  info: 'f= format= mode=',
  run:
    'a= attach= i interactive t tty sig-proxy d detach restart= rm pull= pid= uts= stop-signal= stop-timeout= detach-keys= platform= init ' +
    'init-binary= isolation= net= network= p= publish= dns= dns-search= dns-opt= dns-option= h= hostname= add-host= ip= ip6= mac-address= ' +
    'cpus= cpu-quota= cpu-period= cpu-shares= cpuset-cpus= cpuset-mems= memory= memory-reservation= memory-swap= memory-swappiness= ' +
    'kernel-memory= oom-kill-disable oom-score-adj= pids-limit= cgroup-conf= blkio-weight= cgroupns= cgroup-parent= device= rdt-class= ' +
    'u= user= umask= group-add= security-opt= cap-add= cap-drop= privileged systemd= runtime= sysctl= v= volume= tmpfs= mount= ' +
    'volumes-from= read-only rootfs entrypoint= w= workdir= e= env= env-file= name= l= label= label-file= annotation= cidfile= pidfile= ' +
    'log-driver= log-opt= ipc= shm-size= gpus= ulimit= verify= cosign-key= ipfs-address=',
  exec: 'i interactive t tty d detach w= workdir= e= env= env-file= privileged u= user=',
  'container ls': 'a all no-trunc q quiet s size format= n= last= l latest f= filter=',
  'container inspect': 'mode= format= type= size',
  'container rm': 'f force v volumes',
  build:
    'buildkit-host= t= tag= f= file= target= build-arg= no-cache output= progress= provenance= pull= secret= allow= attest= ssh= q quiet ' +
    'sbom= cache-from= cache-to= platform= iidfile= ipfs label= network= build-context=',
  'image inspect': 'mode= format= platform=',
  'volume create': 'label=',
  'volume ls': 'q quiet format= size f= filter=',
  'volume inspect': 'format= size',
  'volume rm': 'f force',
};

/**
 * What finch's documentation lists, read on 2026-11-30: docs/cmd of runfinch/finch at commit 0a60880c (finch 1.x), which hands these
 * subcommands on to nerdctl; of `container`, `image` and `volume` it lists the subcommands, whose options are nerdctl's.
 */
export const FINCH_OPTIONS: Readonly<Record<string, Options>> = {
  ...NERDCTL_OPTIONS,
  version: 'h help',
  run:
    'add-host= blkio-weight= cap-add= cap-drop= cgroup-conf= cgroup-parent= cgroupns= cidfile= cpu-period= cpu-quota= cpu-shares= cpus= ' +
    'cpuset-cpus= cpuset-mems= d detach detach-keys= device= dns= dns-opt= dns-option= dns-search= entrypoint= e= env= env-file= gpus= ' +
    'group-add= help h= hostname= init init-binary= i interactive ip= ipc= ipfs-address= isolation= kernel-memory= l= label= label-file= ' +
    'log-driver= log-opt= mac-address= m= memory= memory-reservation= memory-swap= memory-swappiness= mount= name= net= network= ' +
    'oom-kill-disable oom-score-adj= pid= pidfile= pids-limit= platform= privileged p= publish= pull= rdt-class= read-only restart= rm ' +
    'rootfs runtime= security-opt= shm-size= stop-signal= stop-timeout= sysctl= tmpfs= t tty ulimit= umask= u= user= uts= verify= v= ' +
    'volume= volumes-from= w= workdir=',
  exec: 'd detach e= env= env-file= h help i interactive privileged t tty u= user= w= workdir=',
  'container ls': 'a all f= filter= format= h help n= last= l latest no-trunc q quiet s size',
  'container rm': 'f force h help v volumes',
  build:
    'build-arg= buildkit-host= cache-from= cache-to= f= file= h help iidfile= label= network= no-cache o= output= platform= progress= q ' +
    'quiet rm secret= ssh= t= tag= target=',
};

/**
 * A program that takes the documented options and refuses every other with status 1, then does what the shell text for its
 * subcommand says. The text sees the positional arguments as "$@".
 */
const program = (
  options: Readonly<Record<string, Options>>,
  scripts: Readonly<Record<string, string>>,
): string => `#!${process.execPath}
const { spawnSync } = require('node:child_process');
const options = ${JSON.stringify(options)};
const scripts = ${JSON.stringify(scripts)};
const words = process.argv.slice(2);
const name = [words.slice(0, 2).join(' '), words[0]].find((each) => each in options);
const fail = (text) => { process.stderr.write('FATA[0000] ' + text + '\\n'); process.exit(1); };
if (name === undefined) fail('unknown command "' + words.slice(0, 2).join(' ') + '"');
const known = options[name].split(' ');
let at = name.split(' ').length;
for (; at < words.length && words[at].startsWith('-'); at += 1) {
  const [, option, value] = /^--?([^=]+)(=.*)?$/.exec(words[at]) ?? fail('bad flag syntax: ' + words[at]);
  if (known.includes(option + '=')) { if (value === undefined) at += 1; }
  else if (!known.includes(option)) fail('unknown flag: ' + words[at]);
}
const { status } = spawnSync('/bin/sh', ['-c', scripts[name] ?? 'exit 0', name, ...words.slice(at)], { stdio: 'inherit' });
process.exit(status ?? 1);
`;

/** The command of an engine as its documentation has it. */
export const documentedCli = async (
  name: 'nerdctl' | 'finch',
  scripts: Readonly<Record<string, string>>,
): Promise<{ readonly file: string; readonly stubs: StubPrograms }> => {
  const stubs = await stubPrograms({ [name]: program(name === 'nerdctl' ? NERDCTL_OPTIONS : FINCH_OPTIONS, scripts) });
  onTestFinished(() => stubs.dispose());
  return { file: join(stubs.directory, name), stubs };
};
