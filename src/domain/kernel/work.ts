/**
 * An evaluation waits for nothing, so the event loop waits for it. A step takes some 10 ns, and 20 at worst: these are less
 * than a tenth of a second, and enough to look through 256 KiB of text for five to ten plain patterns. Steps are counted
 * rather than timed, so that the same conditions end in the same way on every machine.
 */
const MAX_STEPS = 5_000_000

export class TooCostly extends Error {
  constructor() {
    super('takes too long to find out')
  }
}

/** What one evaluation may do, shared by all its paths and conditions. Once it is spent, it stays so. */
export class Work {
  #left: number

  constructor(steps = MAX_STEPS) {
    this.#left = steps
  }

  /** Before they are done, or soon after. Throws when there were too many. */
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new TooCostly()
  }

  get isSpent(): boolean {
    return this.#left < 0
  }
}
