import { z } from 'zod'
import { operation } from '../../../kernel/operation.ts'
import { templates } from './index.ts'
import { TriggerTemplate } from './schema.ts'

export const listTemplates = operation({
  name: 'triggers.templates',
  area: 'triggers',
  permission: 'read',
  summary: 'List templates of triggers for the events of other systems',
  description:
    'The `trigger` of a template is a draft: send it to POST /external-triggers with the `source_id` of your endpoint.',
  input: z.strictObject({}),
  output: z.strictObject({ templates: z.array(TriggerTemplate) }),
  run: async () => ({ templates }),
})
