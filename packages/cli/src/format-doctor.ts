import type {
  Diagnosis,
  EngineCandidate,
  EngineFacts,
  EnginesFacts,
  Finding,
  HostFacts,
  ImageFacts,
  Section,
} from '@doompi-sandbox/harness';
import { imageAge } from './image-age.ts';
import { printableLine } from './printable.ts';
import { formatRows, type Row } from './table.ts';

const INDENT = '  ';

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no');

const known = (value: string | number | null): string => (value === null ? 'unknown' : String(value));

/** One line for what was found, with its code, and one for what to do about it. */
const formatFinding = ({ severity, code, text, advice }: Finding): string => {
  const mark = `${INDENT}${severity}: `;
  // Advice is Markdown for the page of codes.
  const line = printableLine(advice.replaceAll('`', ''));
  return `${mark}${printableLine(text)} [${code}]\n${' '.repeat(mark.length)}${line}\n`;
};

const formatSection = <Facts>(title: string, section: Section<Facts>, rows: (facts: Facts) => readonly Row[]): string => {
  const unknown = section.findings.length === 0 ? `${INDENT}unknown: there is no engine to ask\n` : '';
  const body = section.facts === null ? unknown : formatRows(rows(section.facts), INDENT);
  return `${title}\n${body}${section.findings.map(formatFinding).join('')}`;
};

const flags = (engine: EngineFacts): readonly string[] => [
  engine.rootless ? 'rootless' : 'rootful',
  ...(engine.usernsRemap ? ['userns-remap'] : []),
  ...(engine.selinux ? ['SELinux enforcing'] : []),
];

const where = ({ endpoint, endpointSource }: EngineFacts): readonly string[] =>
  endpoint === null ? [] : [endpointSource === null ? endpoint : `${endpoint} (from ${endpointSource})`];

const works = (engine: EngineFacts): readonly string[] => [
  `${engine.name} ${engine.serverVersion}${engine.clientVersion === engine.serverVersion ? '' : `, client ${engine.clientVersion}`}`,
  ...where(engine),
];

const engineRow = ({ candidate, outcome, file, engine, reason, code }: EngineCandidate, told: boolean): Row => {
  const facts = engine === null ? [] : works(engine);
  // A reason that a finding tells is not told twice.
  const skipped = told ? `skipped [${code ?? ''}]` : `skipped: ${reason ?? ''}`;
  return [candidate, [[outcome === 'taken' ? 'taken' : skipped, ...facts, ...(file === null ? [] : [file])].join('; ')]];
};

const enginesRows = ({ candidates, details }: EnginesFacts, findings: readonly Finding[]): readonly Row[] => {
  const told = (reason: string | null): boolean => findings.some(({ text }) => text === reason);
  const taken = candidates.find(({ outcome }) => outcome === 'taken')?.engine ?? null;
  const runtimes = details?.runtimes.map((name) => (name === details.defaultRuntime ? `${name} (default)` : name)) ?? [];
  return [
    ...candidates.map((candidate) => engineRow(candidate, told(candidate.reason))),
    [
      'server',
      taken === null ? [] : [[taken.platform, taken.location, ...flags(taken), `API ${taken.apiVersion || 'none'}`].join(', ')],
    ],
    [
      'host',
      details?.operatingSystem === undefined ? [] : [`${details.operatingSystem}, kernel ${details.kernelVersion ?? 'unknown'}`],
    ],
    ['cgroup', details?.cgroupVersion === undefined ? [] : [`v${details.cgroupVersion}`]],
    ['storage', details?.storageDriver === undefined ? [] : [details.storageDriver]],
    ['runtimes', runtimes.length === 0 ? [] : [runtimes.join(', ')]],
    ['security', details === null || details.securityOptions.length === 0 ? [] : [details.securityOptions.join(', ')]],
    ['builder', details === null ? [] : [details.builder]],
  ];
};

const imageRows = (image: ImageFacts): readonly Row[] => {
  const size = image.sizeBytes === null ? 'unknown size' : `${Math.round(image.sizeBytes / 1_000_000)} MB`;
  const age = image.ageDays === null ? 'unknown age' : imageAge(image.ageDays);
  const present = image.present === null ? 'unknown: no engine to ask' : image.present ? `yes, ${age}, ${size}` : 'no';
  return [
    ['reference', [image.reference]],
    ['agent', [`${image.agent} ${image.agentVersion}`]],
    [
      'base image',
      [`${image.baseImage}${image.basePresent === null ? '' : image.basePresent ? ' (present)' : ' (to be pulled)'}`],
    ],
    ['present', [present]],
  ];
};

const hostRows = (host: HostFacts): readonly Row[] => [
  ['system', [`${host.platform}/${host.arch}, kernel ${host.kernel}`]],
  ['node', [host.node]],
  ['user', [`${host.user ?? 'no name'} (${host.uid}:${host.gid})`]],
  ['subordinate ids', [`${known(host.subordinateUids)} uids, ${known(host.subordinateGids)} gids`]],
  ['in a sandbox', host.insideSandbox ? ['yes'] : []],
];

const verdict = ({ ready, ...diagnosis }: Diagnosis): string => {
  const sections = Object.values(diagnosis).filter((value) => typeof value === 'object');
  const findings = sections.flatMap((section) => section.findings);
  const count = (severity: Finding['severity']): number => findings.filter((found) => found.severity === severity).length;
  const some = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;
  const warnings = count('warning');
  if (!ready) return `No session can start here: ${some(count('error'), 'error')}, ${some(warnings, 'warning')}.\n`;
  return warnings === 0 ? 'A session can start here.\n' : `A session can start here, with ${some(warnings, 'warning')}.\n`;
};

/** A diagnosis for a person: the facts of each part, what is wrong with them, and what to do about it. */
export const formatDoctor = (diagnosis: Diagnosis, version: string): string =>
  [
    formatSection('engines', diagnosis.engines, (facts) => enginesRows(facts, diagnosis.engines.findings)),
    formatSection('image', diagnosis.image, imageRows),
    formatSection('transport', diagnosis.transport, ({ candidates }) =>
      candidates.map(({ transport, reason }) => [transport, [reason]]),
    ),
    formatSection('keys on this host (names only)', diagnosis.credentials, ({ credentials }) =>
      credentials.map(({ variable, providers }) => [variable, [`brokered for ${providers.join(', ')}`]]),
    ),
    formatSection('terminal', diagnosis.terminal, ({ stdin, stdout, term, columns, rows, colours }) => [
      ['stdin', [yesOrNo(stdin)]],
      ['stdout', [yesOrNo(stdout)]],
      ['TERM', [term ?? 'not set']],
      ['size', columns === null || rows === null ? [] : [`${columns} columns, ${rows} rows`]],
      ['colours', [colours]],
    ]),
    formatSection('repository', diagnosis.repository, (repository) => [
      ['root', [repository.root]],
      ['directory', repository.cwd === repository.root ? [] : [repository.cwd]],
      ['symbolic link', repository.logicalCwd === null ? [] : [`${repository.logicalCwd} leads to ${repository.cwd}`]],
      ['git', [repository.git ?? 'none']],
      ['dev container', [repository.devcontainer === null ? 'none' : `${repository.devcontainer} (not used by this version)`]],
      ['writable', [yesOrNo(repository.writable)]],
    ]),
    formatSection(`host (doompi-sandbox ${version})`, diagnosis.host, hostRows),
    ...(diagnosis.settings.findings.length === 0 ? [] : [formatSection('settings', diagnosis.settings, () => [])]),
    verdict(diagnosis),
  ].join('\n');
