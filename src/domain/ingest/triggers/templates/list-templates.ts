import { z } from 'zod'
import { operation } from '../../../kernel/operation.ts'
import { listOf, pagingFields, partOf } from '../../../kernel/paging.ts'
import { templates } from './index.ts'
import { TriggerTemplate } from './schema.ts'

export const listTemplates = operation({
  name: 'triggers.templates',
  area: 'triggers',
  permission: 'read',
  summary: 'List templates of triggers for the events of other systems',
  description:
    'The `trigger` of a template is a draft: send it to POST /external-triggers with the `source_id` of your endpoint.',
  input: z.strictObject({ ...pagingFields }),
  output: listOf('templates', TriggerTemplate),
  run: async (_ctx, asked) => {
    const { rows, ...found } = partOf(templates, asked, ({ name }) => name)
    return { templates: rows, ...found }
  },
})
