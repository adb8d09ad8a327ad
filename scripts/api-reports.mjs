import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiReports } from './check/api.mjs';

// node scripts/api-reports.mjs [--update]: compares, or writes, the public API of every package. Needs a build.
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const update = process.argv.includes('--update');
const { count, problems } = apiReports(root, { update });
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error('api-reports: after a look at the difference: pnpm build && node scripts/api-reports.mjs --update');
  process.exitCode = 1;
} else console.log(`api-reports: ${count} ${update ? 'written' : 'as they are in etc/'}`);
