import { createHash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { CompiledQuery } from 'kysely'
import pg from 'pg'

/**
 * Runs a statement with `$1`, `$2`, … as a prepared statement, whose plan the database caches: on the paths of every write,
 * planning costs more than running. Name the columns that you read, not `*`. Rows are for reading: a change of one is stored nowhere.
 */
export async function run<T = unknown>(em: EntityManager, sql: string, parameters: unknown[]): Promise<Readonly<T>[]> {
  const { rows } = await em.getKysely<unknown>().executeQuery<T>(CompiledQuery.raw(sql, parameters))
  return rows
}

const names = new Map<string, string>()

function nameOf(sql: string): string {
  const name = names.get(sql) ?? createHash('sha256').update(sql).digest('base64url').slice(0, 32)
  names.set(sql, name)
  return name
}

/** Prepares each statement with parameters once. Statements of the ORM have no parameters and are not prepared. */
export class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: it passes on whatever its many overloads take.
  override query(...args: any[]): any {
    const [text, values, ...rest] = args
    const prepares = typeof text === 'string' && Array.isArray(values) && values.length > 0
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
