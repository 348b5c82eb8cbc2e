/** A reason not to start that a person can act on: the caller prints the sentence and exits with 1, without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}

export function reasonOf(error: unknown): string {
  return (error as Error | undefined)?.message || String(error)
}
