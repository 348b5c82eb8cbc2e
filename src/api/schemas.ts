import { z } from 'zod'
import { type JsonSchema, tidySchema } from '../domain/kernel/json-schema.ts'

/** Turns zod schemas into JSON Schema. Schemas with an id become components of the document. */
export function schemaWriter() {
  const components: Record<string, JsonSchema> = {}
  return {
    components,
    write(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
      const id = z.globalRegistry.get(schema)?.id
      const { $schema, $defs, ...own } = z.toJSONSchema(schema, {
        io,
        unrepresentable: 'any',
        override: ({ jsonSchema }) => tidySchema(jsonSchema as JsonSchema),
      }) as JsonSchema & { $defs?: Record<string, JsonSchema> }
      for (const [name, definition] of Object.entries($defs ?? {})) components[name] = relocate(definition)
      const written = relocate(own)
      // A schema with an id is already a reference to its own definition, unless it shares no part.
      if (!id || io === 'input' || written.$ref) return written
      components[id] = written
      return { $ref: `#/components/schemas/${id}` }
    },
  }
}

function relocate(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
