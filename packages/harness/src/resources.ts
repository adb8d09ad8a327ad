/**
 * Stack of async disposables, unwound in reverse. The Node floor has `Symbol.asyncDispose` but not `AsyncDisposableStack` (Node 24).
 */
export class Resources implements AsyncDisposable {
  readonly #stack: AsyncDisposable[] = [];

  /** Takes charge of a resource and returns it. */
  use<Resource extends AsyncDisposable>(resource: Resource): Resource {
    this.#stack.push(resource);
    return resource;
  }

  /** Runs `dispose` at the end. */
  defer(dispose: () => Promise<void> | void): void {
    this.#stack.push({ [Symbol.asyncDispose]: async () => dispose() });
  }

  /** Disposes everything, also after a failure; failures are thrown together at the end. */
  async [Symbol.asyncDispose](): Promise<void> {
    const failures: unknown[] = [];
    for (let resource = this.#stack.pop(); resource !== undefined; resource = this.#stack.pop()) {
      try {
        await resource[Symbol.asyncDispose]();
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, 'several resources of the session could not be released');
  }
}
