/** A failure that a person can fix: the caller prints the message and exits with 1, without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}

export function reasonOf(error: unknown): string {
  return (error as Error | undefined)?.message || String(error)
}
