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

/** Makes a generated JSON Schema shorter and readable. For `override` of `z.toJSONSchema`. */
export function tidySchema(schema: JsonSchema): void {
  delete schema.id
  delete schema.unkept
  // Every property name is a text.
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames
  // The format is enough; its pattern is longer than the rest of the schema.
  if (schema.format === 'date-time' || schema.format === 'date') delete schema.pattern
  // Long generated patterns are unreadable; requests are validated without them.
  if (String(schema.pattern ?? '').length > 200) delete schema.pattern
  shortenNull(schema)
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.shownOnce) {
    delete schema.shownOnce
    schema['x-shown-once'] = true
  }
}

/** Writes "a schema or null" as the schema with one more type. */
function shortenNull(schema: JsonSchema): void {
  const [one, none, ...others] = schema.anyOf ?? []
  if (one?.type === undefined || none?.type !== 'null' || others.length > 0) return
  if (one.enum || one.const !== undefined || one.description !== undefined) return
  delete schema.anyOf
  Object.assign(schema, one, { type: [one.type, 'null'].flat() })
}
