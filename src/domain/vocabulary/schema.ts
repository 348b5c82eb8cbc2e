import { z } from 'zod'
import { line, momentOut, readOnly, text } from '../kernel/schema.ts'

const color = () => z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour like #2f9e44')

export const StatusTypeResource = z
  .strictObject({
    id: z.int(),
    key: z.string(),
    name: z.string(),
    description: z.string(),
    icon: z.string(),
    color: z.string(),
    is_operational: z.boolean(),
    archived: z.boolean(),
    display_order: z.int(),
    version: z.int(),
    created_at: momentOut(),
    updated_at: momentOut(),
  })
  .meta({
    id: 'StatusTypeResource',
    description: 'What a thing can be; `display_order` is the severity, mildest first.',
  })

export const StatusTypeCreateRequest = z.strictObject({
  key: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,49}$/, 'must be lower-case letters, digits and underscores')
    .refine((key) => key !== 'resolved', 'is reserved')
    .describe('Never changes'),
  name: line(100),
  description: text(500).default(''),
  icon: text(50).default(''),
  color: color().default('#868e96'),
  ...readOnly('id', 'is_operational', 'archived', 'display_order', 'version', 'created_at', 'updated_at'),
})

export const LifecycleStageResource = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    color: z.string(),
    display_order: z.int(),
    is_default: z.boolean(),
  })
  .meta({ id: 'LifecycleStage' })

export const LifecycleStageCreateRequest = z.strictObject({
  name: line(100),
  description: text(500).default(''),
  color: color().default('#868e96'),
  ...readOnly('id', 'display_order', 'is_default'),
})
