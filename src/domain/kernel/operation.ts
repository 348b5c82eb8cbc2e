import type { z } from 'zod'
import type { Purpose } from '../subscribers/link-rules.ts'
import type { Context, PageRef } from './context.ts'
import type { Area, Level } from './permissions.ts'
import type { Services } from './services.ts'

/** The kind of record that an operation is about, and how to find one such record. */
export interface Subject<S = unknown> {
  /** The name of the kind in the interface, such as `incident`. */
  kind: string
  /** Whether requests may name the record by `external_id` as well as by `id`. */
  external: boolean
  /** No request names the record: a page has exactly one such record, or the credential names the record. */
  singleton?: boolean
  find(ctx: Context, ref: SubjectRef | undefined, options: { lock: boolean }): Promise<S | null>
  id(record: S): number
  /** The fields that an audit row compares, without secrets. */
  snapshot(record: S): Record<string, unknown>
  /** Read-only fields outside the audit row that a change may send back with their stored values. */
  alsoStored?(record: S): Record<string, unknown>
}

export type SubjectRef = { id: number } | { external_id: string }

/**
 * One thing that a client can do. HTTP routes, the OpenAPI document and every later interface (MCP, plans, chat) read the
 * same value, so that each rule applies to all interfaces.
 */
export interface Operation<S = unknown, I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> {
  name: string
  area: Area
  /** `public` needs no credential on a public page; `link` needs a link of the purpose `link`, on every page. */
  permission: Level | 'public' | 'link'
  link?: Purpose
  /** The kind of record that an operation without a subject creates. */
  makes?: string
  /** Whether the operation changes records, and therefore writes an audit row. */
  changes: boolean
  /** `false`: readers of the page see nothing of what the operation changes. */
  affectsPage?: boolean
  /** What the directory of pages has of a page changes too. */
  changesDirectory?: boolean
  summary: string
  description?: string
  subject?: Subject<S>
  input: I
  output: O
  /** The record is as the caller asked for, whatever `version` the request names: the caller repeats a request. */
  isRepeated?(record: S): boolean
  /** Validates the input before the transaction opens, for work that takes long and needs no record. Throws to refuse. */
  prepare?(services: Services, page: PageRef, input: z.output<I>): Promise<void>
  run(ctx: Context, input: z.output<I>, subject: S): Promise<z.input<O>>
}

// biome-ignore lint/suspicious/noExplicitAny: a table of operations forgets what each one takes; `execute` parses it.
export type AnyOperation = Operation<any, any, any>

const names = new Set<string>()

/** The names of all operations that write audit rows, sorted. */
export const auditedOperations = (): string[] => [...names].sort()

export function operation<S, I extends z.ZodObject, O extends z.ZodType>(
  definition: Omit<Operation<S, I, O>, 'changes'> & { changes?: boolean },
): Operation<S, I, O> {
  const reads = definition.permission === 'read' || definition.permission === 'public'
  const changes = definition.changes ?? !reads
  if (changes) names.add(definition.name)
  return { ...definition, changes }
}
