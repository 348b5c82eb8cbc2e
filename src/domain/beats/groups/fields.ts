import { z } from 'zod'
import { field } from '../../kernel/fields.ts'
import { sharedFields } from '../definition/fields.ts'

const modes = z.enum(['group', 'member'])

/** The fields of a group, except its members. */
export const groupFields = {
  ...sharedFields,
  message_source_mode: field(
    modes.describe('The message policies of an incident: those of the `group`, or those of its worst `member`'),
    { default: 'group', answer: modes },
  ),
}
