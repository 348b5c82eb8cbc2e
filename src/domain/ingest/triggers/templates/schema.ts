import { z } from 'zod'
import { TriggerResource } from '../schema.ts'

export const TriggerTemplate = z
  .strictObject({
    provider_type: z.string().describe('The `provider_type` of an endpoint for such events'),
    name: z.string(),
    description: z.string(),
    trigger: TriggerResource.pick({
      name: true,
      each_path: true,
      conditions: true,
      stage_mapping: true,
      output_mapping: true,
      safety_settings: true,
      draft: true,
    }).describe('A draft for POST /external-triggers: add the `source_id` of your endpoint'),
    notes: z.array(z.string()).describe('What to set up in the other system, and what to decide'),
    example: z.record(z.string(), z.unknown()).describe('An event of the other system'),
  })
  .meta({ id: 'TriggerTemplate' })
export type TriggerTemplate = z.infer<typeof TriggerTemplate>
