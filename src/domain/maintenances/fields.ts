import { z } from 'zod'
import { defaultsOf, field } from '../kernel/fields.ts'
import { line, text } from '../kernel/schema.ts'

const read = { public: true, translatable: true } as const

const prepared = { default: null, nullClears: true, translatable: true } as const
const message = (entry: string) =>
  text(20_000).describe(
    `The message of the entry of the ${entry}, which may hold the variables of the preset category \`maintenance\``,
  )

/** The fields of a maintenance that requests set and that are one column, except its status, its stage and its times. */
export const maintenanceFields = {
  title: field(line(300), { required: true, compact: true, ...read }),
  description: field(text(20_000), { default: '', saysDefault: true, nullClears: true, compact: true, ...read }),
  impact: field(text(200), { default: null, nullClears: true, compact: true, ...read }),
  affected_items_freetext: field(text(2000), { default: null, nullClears: true, ...read }),
  chat_channel_id: field(text(100), { default: null, nullClears: true }),
  auto_transition_enabled: field(
    z.boolean().describe('Whether the maintenance starts and completes automatically at its scheduled times'),
    { default: false, saysDefault: true },
  ),
  auto_transition_start_message: field(message('start'), prepared),
  auto_transition_complete_message: field(message('completion'), prepared),
}

/** The values of the fields that a create or a PUT leaves out. */
export const maintenanceDefaults = () => defaultsOf(maintenanceFields, {})
