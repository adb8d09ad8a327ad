import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { publishedExports, publishedPackages } from './packages.mjs';

/** `@doompi-sandbox/engine`, `.` → `engine`; `…/extension`, `./pi` → `extension.pi`; the aggregate's → `doompi-sandbox…`. */
const reportName = (/** @type {string} */ name, /** @type {string} */ subpath) =>
  [name.split('/').at(-1), ...subpath.split('/').slice(1)].join('.');

/** Every declaration file that a person's code can see, with the name of its report. */
const entryPoints = (/** @type {string} */ root) =>
  publishedPackages(root).flatMap(({ name, directory, manifest }) =>
    publishedExports(manifest).flatMap(({ subpath, types }) =>
      types === undefined ? [] : [{ directory, types: join(directory, types), report: reportName(name, subpath) }],
    ),
  );

/** @param {string} root @param {ReturnType<typeof entryPoints>[number]} entry @param {boolean} update */
const extract = (root, { directory, types, report }, update) => {
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: directory,
      mainEntryPointFilePath: types,
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'es2022',
            module: 'nodenext',
            moduleResolution: 'nodenext',
            strict: true,
            skipLibCheck: true,
            lib: ['es2022', 'esnext.disposable'],
            types: ['node'],
          },
          include: [types],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: report,
        reportFolder: join(root, 'etc'),
        reportTempFolder: join(root, 'node_modules/.cache/api'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        extractorMessageReporting: {
          default: { logLevel: ExtractorLogLevel.Error },
          // No release tags here, and a type may stay unexported when nobody needs its name.
          'ae-missing-release-tag': { logLevel: ExtractorLogLevel.None },
          'ae-forgotten-export': { logLevel: ExtractorLogLevel.None },
          'ae-undocumented': { logLevel: ExtractorLogLevel.None },
          'ae-unresolved-link': { logLevel: ExtractorLogLevel.None },
        },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(directory, 'package.json'),
  });
  /** @type {string[]} */
  const problems = [];
  const result = Extractor.invoke(config, {
    localBuild: update,
    messageCallback: (message) => {
      message.handled = true;
      if (message.logLevel === ExtractorLogLevel.Error) problems.push(message.formatMessageWithLocation(root));
    },
  });
  if (result.apiReportChanged && !update) {
    const file = `${report}.api.md`;
    const { stdout } = spawnSync('diff', ['-u', join(root, 'etc', file), join(config.reportTempFolder, file)], {
      encoding: 'utf8',
    });
    problems.push(`etc/${file} is not what the package exports now\n${stdout}`);
  }
  return problems;
};

/**
 * Holds every package's public declarations to its report in `etc/`, or writes the reports. Needs the build.
 * @param {string} root
 * @param {{ update: boolean }} options
 * @returns {{ count: number, problems: string[] }}
 */
export const apiReports = (root, { update }) => {
  const entries = entryPoints(root);
  mkdirSync(join(root, 'etc'), { recursive: true });
  const problems = entries.flatMap((entry) =>
    existsSync(entry.types) ? extract(root, entry, update) : [`${entry.types} is not built`],
  );
  const known = new Set(entries.map(({ report }) => `${report}.api.md`));
  for (const file of readdirSync(join(root, 'etc')).filter((name) => name.endsWith('.api.md') && !known.has(name))) {
    if (update) rmSync(join(root, 'etc', file));
    else problems.push(`etc/${file} is the report of no package`);
  }
  return { count: entries.length, problems };
};
