import { z } from 'zod'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { applySyntheticsSwitch } from '../beats/operations/synthetics-switch.ts'
import { applyAlertHours } from '../incidents/long-running.ts'
import type { Context } from '../kernel/context.ts'
import { type FieldError, invalid } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { mayDo } from '../kernel/permissions.ts'
import { trackRevision } from '../kernel/revise.ts'
import { applyLeads } from '../maintenances/reminders.ts'
import { appearanceProblems } from '../settings/appearance-problems.ts'
import { cssHosts } from '../settings/css/css-hosts.ts'
import { cssErrors } from '../settings/css/custom-css.ts'
import { emailProblems } from '../settings/email-problems.ts'
import { addressNames, secretNames, shownOf } from '../settings/fields.ts'
import { chatFields, laterFields, pageFields } from '../settings/groups/index.ts'
import { localeProblem } from '../settings/rules.ts'
import {
  ChatSettingsResource,
  ChatSettingsUpdateRequest,
  filled,
  PublicSettings,
  type Settings,
} from '../settings/schema.ts'
import { keepSettingSecrets } from '../settings/secrets.ts'
import { type StoredSettings, settingsOf, settingsSubject } from '../settings/stored.ts'
import { readingIn } from '../translations/languages.ts'
import { translationsOf } from '../translations/read.ts'
import { languageInWords, type Mutation, readIn } from '../translations/schema.ts'
import { translate } from '../translations/write.ts'
import { noteMaintenanceWeight } from '../vocabulary/maintenance-weight.ts'
import { settingsIn, TranslatedSettings, TranslatedSettingsRequest } from './settings-words.ts'

function pick<N extends keyof Settings>(settings: Settings, fields: Record<N, unknown>): Pick<Settings, N> {
  const names = Object.keys(fields) as N[]
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as Pick<Settings, N>
}

/** The fields that the caller may read: addresses of people only for administrators, and no secrets. */
function present<N extends keyof Settings>({ actor }: Context, kept: StoredSettings, fields: Record<N, z.ZodDefault>) {
  const { values, version, updated_at } = kept
  const isAdmin = actor.kind !== 'anonymous' && mayDo(actor, 'settings', 'admin')
  const left = [...secretNames(fields), ...(isAdmin ? [] : addressNames(fields))]
  const shown = Object.fromEntries(Object.entries(fields).filter(([name]) => !left.includes(name)))
  return {
    ...pick(filled(values), shown as Record<N, unknown>),
    version,
    // A first request without changes stores a row of version 1.
    updated_at: version === 1 ? null : (updated_at?.toISOString() ?? null),
  }
}

/** Stores the fields of a request. A stored null is read as the default. */
async function keep(
  ctx: Context,
  kept: StoredSettings,
  fields: object,
  request: Record<string, unknown>,
): Promise<void> {
  const before = filled(kept.values)
  const changed = trackRevision(ctx, settingsSubject, kept)
  const values = { ...kept.values }
  for (const name of Object.keys(fields)) if (request[name] !== undefined) values[name] = request[name]
  Object.assign(values, await keepSettingSecrets(ctx, kept.version, request))
  const problem = localeProblem(filled(values))
  if (problem) throw invalid([{ path: 'document_locale', message: problem }])
  const aboutMail = Object.keys(request).some((name) => name.startsWith('email_'))
  const problems = aboutMail ? emailProblems(filled(values), ctx.services) : []
  if (problems.length > 0) throw invalid(problems)
  await checkAppearance(ctx, before, filled(values))
  kept.values = values
  await translate(ctx, ['settings', ctx.page.id], request.translations as Mutation[] | undefined)
  if (!changed()) return
  kept.updated_at = ctx.now
  await applyLeads(ctx, before, filled(values))
  await applyAlertHours(ctx, before, filled(values))
  await applySyntheticsSwitch(ctx, before, filled(values))
  await noteMaintenanceWeight(ctx, before, filled(values))
}

/** A stored item that was deleted stays, so that settings can be sent back as read. */
async function checkAppearance({ tx }: Context, before: Settings, settings: Settings): Promise<void> {
  const problems: FieldError[] = appearanceProblems(settings)
  if (settings.custom_css !== before.custom_css) problems.push(...cssErrors(settings.custom_css, cssHosts(settings)))
  const { default_component_item_id: id } = settings
  const isNew = id !== null && id !== before.default_component_item_id
  if (isNew && !(await tx.findOne(HierarchyItem, { id })))
    problems.push({ path: 'default_component_item_id', message: `must name an item: there is none with the id ${id}` })
  const { embed_launcher_component_ids: ids } = settings
  const added = ids.filter((one) => !before.embed_launcher_component_ids.includes(one))
  const known = added.length > 0 ? await tx.find(HierarchyItem, { id: { $in: added } }) : []
  const missing = added.find((one) => !known.some((item) => item.id === one))
  if (missing !== undefined)
    problems.push({
      path: 'embed_launcher_component_ids',
      message: `must name items: there is none with the id ${missing}`,
    })
  if (problems.length > 0) throw invalid(problems)
}

async function presentTranslated(ctx: Context, kept: StoredSettings) {
  const translations = await translationsOf(ctx.tx, { settings: [{ id: kept.page_id }] })
  return { ...present(ctx, kept, pageFields), translations: translations('settings', kept.page_id) }
}

export const getSettings = operation({
  name: 'settings.get',
  area: 'settings',
  permission: 'read',
  summary: 'Get the settings of the page',
  subject: settingsSubject,
  input: z.strictObject({}),
  output: TranslatedSettings,
  run: (ctx, _input, kept) => presentTranslated(ctx, kept),
})

export const updateSettings = operation({
  name: 'settings.update',
  area: 'settings',
  permission: 'admin',
  summary: 'Change settings of the page',
  description: `A field with null gets its default. Not accepted yet: ${Object.keys(laterFields).join(', ')}.`,
  subject: settingsSubject,
  input: TranslatedSettingsRequest,
  output: TranslatedSettings,
  run: async (ctx, input, kept) => {
    await keep(ctx, kept, pageFields, input)
    return presentTranslated(ctx, kept)
  },
})

export const getPublicSettings = operation({
  name: 'public.settings.get',
  area: 'settings',
  permission: 'public',
  summary: 'Get the public settings of the page',
  description: languageInWords,
  input: z.strictObject(readIn),
  output: PublicSettings,
  run: async ({ tx, page }, { locale }) => {
    const settings = await settingsIn(tx, await readingIn(tx, locale), await settingsOf(tx), page.id)
    return pick(settings, shownOf(pageFields) as typeof pageFields)
  },
})

export const getChatSettings = operation({
  name: 'chat_settings.get',
  area: 'settings',
  permission: 'read',
  summary: 'Get the settings of the chat app',
  description: 'The settings of the chat app share the `version` of the settings of the page.',
  subject: settingsSubject,
  input: z.strictObject({}),
  output: ChatSettingsResource,
  run: async (ctx, _input, kept) => present(ctx, kept, chatFields),
})

export const updateChatSettings = operation({
  name: 'chat_settings.update',
  area: 'settings',
  permission: 'admin',
  summary: 'Change settings of the chat app',
  description: 'A field with null gets its default. `version` is the version of the settings of the page.',
  subject: settingsSubject,
  input: ChatSettingsUpdateRequest,
  output: ChatSettingsResource,
  run: async (ctx, input, kept) => {
    await keep(ctx, kept, chatFields, input)
    return present(ctx, kept, chatFields)
  },
})
