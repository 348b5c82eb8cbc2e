import { setImmediate } from 'node:timers/promises'
import type { Json, JsonSchema } from '../domain/kernel/json-schema.ts'

/** Moves repeated parts of the document into components, which keeps the document small. */

type Paths = Record<string, Record<string, Json>>
interface Content {
  content?: { 'application/json'?: { schema: JsonSchema } }
}
interface Operation {
  operationId: string
  parameters: { name: string; in: string; $ref?: string }[]
  requestBody?: Content
  responses: Record<string, Content>
}

const operationsOf = (paths: Paths) => Object.values(paths).flatMap(Object.values) as unknown as Operation[]

/** The most used parameter of each name becomes a component, if at least three operations use it. */
export function shareParameters(paths: Paths): Record<string, object> {
  const all = operationsOf(paths).flatMap(({ parameters }) => parameters)
  const uses = Map.groupBy(all, (parameter) => JSON.stringify(parameter))
  const shared: Record<string, object> = {}
  for (const [text, same] of [...uses].sort(([, a], [, b]) => b.length - a.length)) {
    const { name } = same[0]!
    if (same.length < 3 || shared[name]) continue
    shared[name] = JSON.parse(text)
    for (const parameter of same) turnInto(parameter, { $ref: `#/components/parameters/${name}` })
  }
  return shared
}

/** A shorter schema is hardly longer than a reference. */
const LONG = 100

interface Part {
  schema: JsonSchema
  /** The number of nested levels. */
  height: number
  /** The path to the part: the operation or the component, then the fields. */
  words: string[]
}

/** A repeated part of requests and answers becomes a component that is named after the field which holds it. */
export async function shareSchemas(paths: Paths, components: Record<string, JsonSchema>): Promise<void> {
  const found = [
    ...operationsOf(paths).flatMap(({ operationId, requestBody, responses }) => [
      ...partsOfContent(requestBody, [`${operationId}-request`]),
      ...Object.values(responses).flatMap((response) => partsOfContent(response, [`${operationId}-answer`])),
    ]),
    ...Object.entries(components).flatMap(([name, schema]) => innerParts(schema, [name])),
  ]
  const shared: string[] = []
  // Innermost parts first, so that outer parts with equal inner parts become equal texts.
  for (const [, parts] of [...Map.groupBy(found, ({ height }) => height)].sort(([a], [b]) => a - b)) {
    await setImmediate()
    const long = parts.filter(({ schema }) => JSON.stringify(schema).length >= LONG)
    for (const [text, same] of Map.groupBy(long, ({ schema }) => JSON.stringify(schema))) {
      if (same.length < 2) continue
      const name = nameFor(same[0]!.words, components)
      shared.push(name)
      components[name] = JSON.parse(text)
      for (const { schema } of same) turnInto(schema, { $ref: `${SCHEMAS}${name}` })
    }
  }
  await setImmediate()
  const uses = usesOfComponents([paths, components])
  for (const name of shared) putBack(name, uses.get(name) ?? [], components)
}

const SCHEMAS = '#/components/schemas/'

/** The references to each component. */
function usesOfComponents(root: unknown): Map<string, object[]> {
  const uses = new Map<string, object[]>()
  const visit = (node: unknown) => {
    if (node === null || typeof node !== 'object') return
    const { $ref } = node as JsonSchema
    if (typeof $ref === 'string' && $ref.startsWith(SCHEMAS)) {
      const name = $ref.slice(SCHEMAS.length)
      uses.set(name, [...(uses.get(name) ?? []), node])
    }
    for (const inner of Object.values(node)) visit(inner)
  }
  visit(root)
  return uses
}

/** Restores a component with a single reference, which is left if a larger shared part holds all uses. Its own references stay. */
function putBack(name: string, uses: object[], components: Record<string, JsonSchema>): void {
  if (uses.length !== 1) return
  turnInto(uses[0]!, components[name]!)
  delete components[name]
}

const partsOfContent = ({ content }: Content = {}, words: string[]) =>
  content?.['application/json'] ? partsOf(content['application/json'].schema, words) : []

function partsOf(schema: JsonSchema, words: string[]): Part[] {
  const inner = innerParts(schema, words)
  return [{ schema, words, height: 1 + Math.max(0, ...inner.map(({ height }) => height)) }, ...inner]
}

function innerParts(schema: JsonSchema, words: string[]): Part[] {
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => partsOf(part, [...words, name])),
    ...(schema.items ? partsOf(schema.items, [...words, 'item']) : []),
    ...(schema.anyOf ?? []).flatMap((part, index) => partsOf(part, [...words, `choice${index + 1}`])),
  ]
}

/** The shortest unused name from the path: `Translations`, or else `IncidentsCreateTranslations`. */
function nameFor(words: string[], taken: object): string {
  const parts = words.map((word) =>
    word.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, first) => first.toUpperCase()),
  )
  for (let from = parts.length - 1; from >= 0; from -= 1) {
    const name = parts.slice(from).join('')
    if (!/^(Item|Choice\d)/.test(name) && !(name in taken)) return name
  }
  return nameFor([...words, 'part'], taken)
}

function turnInto(part: object, other: object): void {
  for (const key of Object.keys(part)) delete (part as Record<string, unknown>)[key]
  Object.assign(part, other)
}
