import { createHash } from 'node:crypto'
import pg from 'pg'

const names = new Map<string, string>()

function nameOf(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('base64url').slice(0, 32)
  names.set(text, name)
  return name
}

/** A statement that begins with this comment is planned each time. */
export const UNPREPARED = '/* unprepared */ '

/** Prepares each statement with parameters once. Statements of the ORM have no parameters and are not prepared. */
export class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: it passes on whatever its many overloads take.
  override query(...args: any[]): any {
    const [text, values, ...rest] = args
    const hasParameters = typeof text === 'string' && Array.isArray(values) && values.length > 0
    const prepares = hasParameters && !text.startsWith(UNPREPARED)
    const query = super.query as (...all: unknown[]) => unknown
    const result = prepares ? query.call(this, { name: nameOf(text), text, values }, ...rest) : query.apply(this, args)
    if (result instanceof Promise) result.catch((error) => this.#discardIfSilent(error))
    return result
  }

  /** After a timeout of the driver the connection still waits for the answer and can serve no other query. */
  #discardIfSilent(error: Error): void {
    if (error.message === 'Query read timeout') this.connection.stream.destroy()
  }
}
