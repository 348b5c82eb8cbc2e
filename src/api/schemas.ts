import { z } from 'zod'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: Json[]
  const?: Json
  example?: Json
  default?: Json
  minimum?: number
  [keyword: string]: unknown
}

/** Turns zod schemas into JSON Schema, gathering those that have an id as components of the document. */
export function schemaWriter() {
  const components: Record<string, JsonSchema> = {}
  return {
    components,
    write(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
      const id = z.globalRegistry.get(schema)?.id
      const { $schema, $defs, ...own } = z.toJSONSchema(schema, {
        io,
        unrepresentable: 'any',
        override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema),
      }) as JsonSchema & { $defs?: Record<string, JsonSchema> }
      for (const [name, definition] of Object.entries($defs ?? {})) components[name] = relocate(definition)
      const written = relocate(own)
      // A schema with an id is a reference to its own definition already, unless nothing in it is shared.
      if (!id || io === 'input' || written.$ref) return written
      components[id] = written
      return { $ref: `#/components/schemas/${id}` }
    },
  }
}

function tidy(schema: JsonSchema): void {
  delete schema.id
  delete schema.unkept
  // The format says it; the pattern behind it is longer than the rest of the schema.
  if (schema.format === 'date-time') delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.shownOnce) {
    delete schema.shownOnce
    schema['x-shown-once'] = true
  }
}

function relocate(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
}

/** A value that the schema allows, for people to look at. */
export function exampleOf(schema: JsonSchema, components: Record<string, JsonSchema>): Json {
  if (schema.example !== undefined) return schema.example
  if (schema.$ref) {
    const { [schema.$ref.split('/').at(-1)!]: target, ...others } = components
    // A schema that holds itself has been left out on the way down: the example ends there.
    return target ? exampleOf(target, others) : null
  }
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0] ?? null
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, components)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object') {
    const properties = Object.entries(schema.properties ?? {}).filter(([, inner]) => inner.readOnly !== true)
    return Object.fromEntries(properties.map(([name, inner]) => [name, exampleOf(inner, components)]))
  }
  if (type === 'array') return schema.items ? [exampleOf(schema.items, components)] : []
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (type === 'boolean') return true
  return 'text'
}
