import { z } from 'zod'
import { type JsonSchema, tidySchema } from '../../kernel/json-schema.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import { inWords } from './tool.ts'

/** The JSON Schema of the input of a tool. */
export function toolInputSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...own } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidySchema(jsonSchema as JsonSchema),
  }) as JsonSchema
  return withoutRootReference(own)
}

/** A schema with a name can be only a reference to its definition: the definition takes its place. */
function withoutRootReference({ $ref, ...own }: JsonSchema): JsonSchema {
  if ($ref === undefined) return own
  const { [$ref.replace('#/$defs/', '')]: root, ...others } = own.$defs as Record<string, JsonSchema>
  return { ...root, ...(Object.keys(others).length > 0 ? { $defs: others } : {}) }
}

/** The JSON Schema of what `read` and `plan` take for an operation: with `id`, without fields that the service sets. */
export function operationInputSchema({ input, subject }: AnyOperation): JsonSchema {
  const { properties = {}, ...schema } = toolInputSchema(input)
  const given = Object.entries(properties).filter(([, property]) => property.readOnly !== true)
  const named = subject && !subject.singleton ? referenceTo(subject) : { properties: {} }
  const required = [...(named.required ?? []), ...(schema.required ?? [])]
  return {
    ...schema,
    properties: { ...named.properties, ...Object.fromEntries(given) },
    ...(required.length > 0 ? { required } : {}),
  }
}

function referenceTo({
  kind,
  external,
}: NonNullable<AnyOperation['subject']>): Pick<JsonSchema, 'properties' | 'required'> {
  const id = { type: 'integer', description: `The id of the ${inWords(kind)}` }
  if (!external) return { properties: { id }, required: ['id'] }
  return { properties: { id, external_id: { type: 'string', description: 'Instead of `id`' } } }
}
