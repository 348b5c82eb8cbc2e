import { z } from 'zod'
import { followSwitch } from '../beats/page-switch.ts'
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { followLeads } from '../maintenances/reminders.ts'
import { shownOf } from './fields.ts'
import { chatFields, laterFields, pageFields } from './groups/index.ts'
import { type Kept, settingsOf, settingsSubject } from './kept.ts'
import { localeProblem } from './rules.ts'
import {
  ChatSettingsResource,
  ChatSettingsUpdateRequest,
  filled,
  PublicSettings,
  type Settings,
  SettingsResource,
  SettingsUpdateRequest,
} from './schema.ts'

function pick<N extends keyof Settings>(settings: Settings, fields: Record<N, unknown>): Pick<Settings, N> {
  const names = Object.keys(fields) as N[]
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as Pick<Settings, N>
}

function present<N extends keyof Settings>({ values, version, updated_at }: Kept, fields: Record<N, unknown>) {
  return { ...pick(filled(values), fields), version, updated_at: updated_at?.toISOString() ?? null }
}

/** Keeps what a request says about these fields. A null is kept too, and reads as the default. */
async function keep(ctx: Context, kept: Kept, fields: object, said: Record<string, unknown>): Promise<void> {
  const before = filled(kept.values)
  const values = { ...kept.values }
  for (const name of Object.keys(fields)) if (said[name] !== undefined) values[name] = said[name]
  const problem = localeProblem(filled(values))
  if (problem) throw invalid([{ path: 'document_locale', message: problem }])
  kept.values = values
  kept.version += 1
  kept.updated_at = ctx.now
  await followLeads(ctx, before, filled(values))
  await followSwitch(ctx, before, filled(values))
}

export const getSettings = operation({
  name: 'settings.get',
  area: 'settings',
  permission: 'read',
  summary: 'Get the settings of the page',
  subject: settingsSubject,
  input: z.strictObject({}),
  output: SettingsResource,
  run: async (_ctx, _input, kept) => present(kept, pageFields),
})

export const updateSettings = operation({
  name: 'settings.update',
  area: 'settings',
  permission: 'admin',
  summary: 'Change settings of the page',
  description: `A field that is null goes back to its default. Not accepted yet: ${Object.keys(laterFields).join(', ')}.`,
  subject: settingsSubject,
  input: SettingsUpdateRequest,
  output: SettingsResource,
  run: async (ctx, input, kept) => {
    await keep(ctx, kept, pageFields, input)
    return present(kept, pageFields)
  },
})

export const getPublicSettings = operation({
  name: 'public.settings.get',
  area: 'settings',
  permission: 'public',
  summary: 'Get the settings of the page that anyone may know',
  input: z.strictObject({}),
  output: PublicSettings,
  run: async ({ tx }) => pick(await settingsOf(tx), shownOf(pageFields) as typeof pageFields),
})

export const getChatSettings = operation({
  name: 'chat_settings.get',
  area: 'settings',
  permission: 'read',
  summary: 'Get the settings of the chat app',
  description: 'They are kept with the settings of the page and share their `version`.',
  subject: settingsSubject,
  input: z.strictObject({}),
  output: ChatSettingsResource,
  run: async (_ctx, _input, kept) => present(kept, chatFields),
})

export const updateChatSettings = operation({
  name: 'chat_settings.update',
  area: 'settings',
  permission: 'admin',
  summary: 'Change settings of the chat app',
  description: 'A field that is null goes back to its default. `version` is that of the settings of the page.',
  subject: settingsSubject,
  input: ChatSettingsUpdateRequest,
  output: ChatSettingsResource,
  run: async (ctx, input, kept) => {
    await keep(ctx, kept, chatFields, input)
    return present(kept, chatFields)
  },
})
