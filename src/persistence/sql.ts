import type { EntityManager } from '@mikro-orm/postgresql'
import { CompiledQuery } from 'kysely'
import { UNPREPARED } from './prepared.ts'

/** A parameter. A record is passed as the text of its JSON. */
export type Value = string | number | boolean | Date | Buffer | null | readonly Value[]

/** The texts around the parameters. The statements of one template share them. */
class Shape {
  readonly pieces: readonly string[]
  #text: string | undefined

  constructor(pieces: readonly string[]) {
    this.pieces = pieces
  }

  get text(): string {
    this.#text ??= this.pieces.reduce((text, piece, number) => `${text}$${number}${piece}`)
    return this.#text
  }
}

/** A statement or a part of one. Only this file makes statements, so no text of a user can become one. */
class Statement {
  readonly #shape: Shape
  readonly #parameters: readonly unknown[]

  constructor(shape: Shape, parameters: readonly unknown[]) {
    this.#shape = shape
    this.#parameters = Object.freeze(parameters)
  }

  get shape(): Shape {
    return this.#shape
  }
  /** The text for PostgreSQL, with `$1`, `$2`, … for the parameters. */
  get text(): string {
    return this.#shape.text
  }
  get parameters(): readonly unknown[] {
    return this.#parameters
  }
}

export type { Statement }

const VALUE = new Shape(['', ''])
const shapeOf = (value: unknown): Shape => (value instanceof Statement ? value.shape : VALUE)

/** What a template became, which is the same whenever its parts are the same. */
interface Known {
  parts: readonly Shape[]
  shape: Shape
  hasOnlyValues: boolean
}
/** Newest first. Few templates have more than one form. */
const templates = new WeakMap<TemplateStringsArray, Known[]>()
const MOST_FORMS = 8

/**
 * The tag of each statement. A value becomes a parameter, and another statement becomes a part of this one. A value that
 * is written twice is two parameters, so each needs its cast where PostgreSQL cannot infer the type.
 */
export function sql(template: TemplateStringsArray, ...values: (Value | Statement)[]): Statement {
  const known = templates.get(template)?.find(({ parts }) => isMadeOf(parts, values)) ?? shaped(template, values)
  return new Statement(known.shape, known.hasOnlyValues ? values : parametersOf(values))
}

function isMadeOf(parts: readonly Shape[], values: unknown[]): boolean {
  return parts.every((part, index) => part === shapeOf(values[index]))
}

function shaped(template: TemplateStringsArray, values: unknown[]): Known {
  const parts = values.map(shapeOf)
  const pieces = template.flatMap((text, index) => [
    [text],
    ...parts.slice(index, index + 1).map((part) => part.pieces),
  ])
  const known = { parts, shape: concatenated(pieces), hasOnlyValues: parts.every((part) => part === VALUE) }
  templates.set(template, [known, ...(templates.get(template) ?? [])].slice(0, MOST_FORMS))
  return known
}

function concatenated(parts: (readonly string[])[]): Shape {
  const pieces = ['']
  for (const [first, ...rest] of parts) {
    pieces.push(`${pieces.pop()}${first}`)
    pieces.push(...rest)
  }
  return new Shape(pieces)
}

function parametersOf(values: readonly unknown[]): unknown[] {
  const parameters: unknown[] = []
  for (const value of values) {
    if (value instanceof Statement) parameters.push(...value.parameters)
    else parameters.push(value)
  }
  return parameters
}

/** Statements one after another, with another between each two. */
export function joined(parts: readonly Statement[], between: Statement = sql`, `): Statement {
  const all = parts.flatMap((part, index) => (index === 0 ? [part] : [between, part]))
  return new Statement(concatenated(all.map(({ shape }) => shape.pieces)), parametersOf(all))
}

const identifiers = new Map<string, Statement>()

/** The name of a table or of a column, quoted. */
export function identifier(name: string): Statement {
  const known = identifiers.get(name) ?? new Statement(new Shape([`"${name.replaceAll('"', '""')}"`]), [])
  identifiers.set(name, known)
  return known
}

/**
 * Runs a statement. With parameters it is prepared, and the database caches its plan: on the paths of every write,
 * planning costs more than running. Name the columns that you read, not `*`. Rows are for reading: a change of one is
 * stored nowhere.
 */
export const run = <T = unknown>(em: EntityManager, { text, parameters }: Statement): Promise<Readonly<T>[]> =>
  rowsOf(em, text, parameters)

/**
 * The same without a cached plan, where the best plan depends on how many rows there are now, as with wake-ups: a plan from a
 * moment without rows reads the whole table later.
 */
export const runUnprepared = <T = unknown>(
  em: EntityManager,
  { text, parameters }: Statement,
): Promise<Readonly<T>[]> => rowsOf(em, UNPREPARED + text, parameters)

async function rowsOf<T>(em: EntityManager, text: string, parameters: readonly unknown[]): Promise<Readonly<T>[]> {
  const { rows } = await em.getKysely<unknown>().executeQuery<T>(CompiledQuery.raw(text, parameters as unknown[]))
  return rows
}
