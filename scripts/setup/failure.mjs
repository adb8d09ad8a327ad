/** A set-up step that cannot go on: what happened, why, and what the person can do next. */
export class SetupFailure extends Error {
  /**
   * @param {string} what one line
   * @param {{ why?: string | undefined, next?: string | undefined, cause?: unknown }} [more] `why` may be several lines of a program's own words
   */
  constructor(what, { why, next, cause } = {}) {
    super(what, { cause });
    this.name = 'SetupFailure';
    this.why = why ?? '';
    this.next = next ?? '';
  }

  /** The failure as printed. */
  get text() {
    const indent = (/** @type {string} */ text) => text.trimEnd().replaceAll('\n', '\n         ');
    return [
      `✗ ${this.message}`,
      this.why === '' ? '' : `  why:   ${indent(this.why)}`,
      this.next === '' ? '' : `  next:  ${indent(this.next)}`,
    ]
      .filter((line) => line !== '')
      .join('\n');
  }
}

/** The person said no, or nobody could be asked. */
export class Refusal extends SetupFailure {}

/** The person, or whoever started us, told us to stop. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`interrupted by ${signal}`);
    this.name = 'Interrupted';
    this.signal = signal;
  }
}
