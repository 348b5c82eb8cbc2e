import { z } from 'zod'

/** A value of a described field that is not the default. */
export function sampleOf(schema: z.ZodType, standard: unknown): unknown {
  if (schema instanceof z.ZodNullable) return sampleOf(schema.unwrap() as z.ZodType, standard)
  if (schema instanceof z.ZodBoolean) return !standard
  if (schema instanceof z.ZodNumber) return schema.minValue
  if (schema instanceof z.ZodEnum) return schema.options.find((one) => one !== standard)
  return 'A text'
}
