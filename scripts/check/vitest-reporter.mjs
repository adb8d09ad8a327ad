import { writeFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number, skipped: { name: string, reason: string }[] }} Summary */

/**
 * A vitest reporter that keeps what the gate's last lines need: the counts, and why a test was skipped (`skip('reason')`).
 * vitest's own JSON report leaves that reason out. Written to the file that DOOMPI_TEST_SUMMARY names.
 */
// oxlint-disable-next-line import/no-default-export -- vitest loads a reporter by its default export
export default class SummaryReporter {
  /** @type {Summary} */
  #summary = { passed: 0, failed: 0, skipped: [] };

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    const result = test.result();
    if (result.state === 'passed') this.#summary.passed += 1;
    else if (result.state === 'failed') this.#summary.failed += 1;
    else if (result.state === 'skipped')
      this.#summary.skipped.push({ name: `${test.project.name}: ${test.fullName}`, reason: result.note ?? '' });
  }

  /** A file that does not even load has no test that failed. */
  /** @param {import('vitest/node').TestModule} module */
  onTestModuleEnd(module) {
    if (module.state() === 'failed' && module.errors().length > 0) this.#summary.failed += 1;
  }

  onTestRunEnd() {
    const file = process.env['DOOMPI_TEST_SUMMARY'];
    if (file !== undefined) writeFileSync(file, JSON.stringify(this.#summary));
  }
}
