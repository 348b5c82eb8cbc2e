import { z } from 'zod'
import { Preset } from '../../persistence/entities/preset.ts'
import { assignDefined } from '../kernel/assign.ts'
import type { Context } from '../kernel/context.ts'
import { newestFirst } from '../kernel/newest-first.ts'
import { operation } from '../kernel/operation.ts'
import { listOf, pagingFields } from '../kernel/paging.ts'
import { trackRevision } from '../kernel/revise.ts'
import { message, versionToDelete, view } from '../kernel/schema.ts'
import { recordSubject } from '../kernel/subject.ts'
import type { Mutation } from '../translations/schema.ts'
import { forgetTranslations, translate, translateNew } from '../translations/write.ts'
import { requireKnownInTranslations, requireKnownValues, requireKnownVariables, requirePostable } from './checks.ts'
import { presentCompact, presentFull, presentPreset } from './presenter.ts'
import { render, sampleOf, variablesIn } from './rules.ts'
import {
  category,
  PresetCreateRequest,
  PresetPreview,
  PresetPreviewRequest,
  PresetResource,
  PresetUpdateRequest,
  variablesInWords,
} from './schema.ts'

const subject = recordSubject('preset', Preset, presentPreset)

export const listPresets = operation({
  name: 'presets.list',
  area: 'vocabulary',
  permission: 'read',
  summary: 'List preset messages, newest first',
  input: z.strictObject({
    category: category().optional().describe('Only presets of this category'),
    view,
    ...pagingFields,
  }),
  output: listOf('presets', PresetResource),
  run: async ({ tx }, { category: wanted, view: how, ...asked }) => {
    const { rows, ...found } = await newestFirst(tx, Preset, asked, wanted ? { category: wanted } : {})
    const presets = how === 'full' ? await presentFull(tx, rows) : rows.map(presentCompact)
    return { presets, ...found }
  },
})

export const getPreset = operation({
  name: 'presets.get',
  area: 'vocabulary',
  permission: 'read',
  summary: 'Get a preset message',
  subject,
  input: z.strictObject({}),
  output: PresetResource,
  run: async ({ tx }, _input, preset) => (await presentFull(tx, [preset]))[0]!,
})

export const createPreset = operation({
  name: 'presets.create',
  makes: 'preset',
  area: 'vocabulary',
  permission: 'write',
  summary: 'Create a preset message',
  description: variablesInWords,
  input: PresetCreateRequest,
  output: PresetResource,
  run: async (ctx, input) => {
    const { tx, page, now } = ctx
    requireKnownVariables(input)
    requirePostable(input)
    const { title, body, auto_post_on_maintenance_start, auto_post_on_maintenance_completion } = input
    const preset = tx.create(Preset, {
      page_id: page.id,
      category: input.category,
      ...{ title, body, auto_post_on_maintenance_start, auto_post_on_maintenance_completion },
      version: 1,
      created_at: now,
      updated_at: now,
    })
    await tx.flush()
    await translateNew(ctx, ['preset', preset.id], input.translations)
    return inFull(ctx, preset, input.translations)
  },
})

export const updatePreset = operation({
  name: 'presets.update',
  area: 'vocabulary',
  permission: 'write',
  summary: 'Change a preset message',
  description: `A preset that leaves the category maintenance must switch off both \`auto_post\` fields. ${variablesInWords}`,
  subject,
  input: PresetUpdateRequest,
  output: PresetResource,
  run: async (ctx, input, preset) => {
    const revise = trackRevision(ctx, subject, preset)
    const { title, body, auto_post_on_maintenance_start, auto_post_on_maintenance_completion } = input
    const switches = { auto_post_on_maintenance_start, auto_post_on_maintenance_completion }
    assignDefined(preset, { title, body, category: input.category, ...switches })
    const changed = presentPreset(preset)
    requireKnownVariables(changed)
    requirePostable(changed)
    await translate(ctx, ['preset', preset.id], input.translations)
    revise()
    return inFull(ctx, preset, input.translations)
  },
})

/** The full preset, after a check of its translations against its category. */
async function inFull({ tx }: Context, preset: Preset, requested: Mutation[] = []) {
  const [full] = await presentFull(tx, [preset])
  requireKnownInTranslations(full!, requested)
  return full!
}

export const deletePreset = operation({
  name: 'presets.delete',
  area: 'vocabulary',
  permission: 'write',
  summary: 'Delete a preset message',
  subject,
  input: z.strictObject(versionToDelete()),
  output: message,
  run: async (ctx, _input, preset) => {
    await forgetTranslations(ctx, ['preset', preset.id])
    ctx.tx.remove(preset)
    return { message: `The preset "${preset.title}" is deleted.` }
  },
})

export const previewPreset = operation({
  name: 'presets.preview',
  area: 'vocabulary',
  permission: 'write',
  summary: 'Preview a preset message',
  description: `Nothing is stored. ${variablesInWords}`,
  changes: false,
  input: PresetPreviewRequest,
  output: PresetPreview,
  run: async ({ page }, input) => {
    requireKnownVariables(input)
    requireKnownValues(input.values, input.category)
    const given: Record<string, string> = { 'Page-Name': page.name, ...input.values }
    const used = [...new Set([input.title, input.body].flatMap(variablesIn))]
    const values = Object.fromEntries(used.map((name) => [name, given[name] ?? sampleOf(name, input.category)]))
    return { title: render(input.title, values), body: render(input.body, values), values }
  },
})
