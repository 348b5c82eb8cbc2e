import { z } from 'zod'
import { EventTrigger } from '../../../persistence/entities/event-trigger.ts'
import { assignDefined } from '../../kernel/assign.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, requireVersion } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf } from '../../kernel/paging.ts'
import { findRepeated, rememberRequest } from '../../kernel/repeated.ts'
import { trackRevision } from '../../kernel/revise.ts'
import { message, versionToDelete } from '../../kernel/schema.ts'
import { requireEvidence } from './evidence-check.ts'
import { presentCompact, presentFull } from './presenter.ts'
import { compileTrigger, pathsOf } from './programs.ts'
import { resolveAssociations, sourceOf } from './references.ts'
import { IS_FINGERPRINT, isFingerprint } from './report-id-rules.ts'
import {
  TriggerCreateRequest,
  TriggerListRequest,
  TriggerPutRequest,
  TriggerResource,
  TriggerUpdateRequest,
} from './schema.ts'
import { triggerName, triggerSubject } from './subject.ts'

const full = async ({ tx }: Context, trigger: EventTrigger) => (await presentFull(tx, [trigger]))[0]!

const enabling =
  'A trigger is evaluated while it is `enabled` and no `draft`. To enable a trigger with a path that no stored event has, send `confirm_no_evidence: true`.'

export const listTriggers = operation({
  name: 'triggers.list',
  area: 'triggers',
  permission: 'read',
  summary: 'List triggers of external events, newest first',
  input: TriggerListRequest,
  output: listOf('external_triggers', TriggerResource),
  run: async ({ tx }, { view, source_id, enabled, limit, cursor }) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.id]))
    const only = { ...(source_id === undefined ? {} : { source_id }), ...(enabled === undefined ? {} : { enabled }) }
    const where = { $and: [only, after ? { id: { $lt: after[0] } } : {}] }
    const rows = await tx.find(EventTrigger, where, { orderBy: { id: 'desc' }, limit: limit + 1 })
    const page = pageOf(rows, limit, ({ id }) => [id])
    return {
      external_triggers: view === 'full' ? await presentFull(tx, page.rows) : page.rows.map(presentCompact),
      total: await tx.count(EventTrigger, only),
      next_cursor: page.next_cursor,
    }
  },
})

export const getTrigger = operation({
  name: 'triggers.get',
  area: 'triggers',
  permission: 'read',
  summary: 'Get a trigger of external events',
  subject: triggerSubject,
  input: z.strictObject({}),
  output: TriggerResource,
  run: (ctx, _input, trigger) => full(ctx, trigger),
})

export const createTrigger = operation({
  name: 'triggers.create',
  makes: 'external trigger',
  area: 'triggers',
  permission: 'write',
  summary: 'Create a trigger of external events',
  description: `The events of an endpoint that match the conditions set the stages of beats. ${enabling} With an \`external_id\` the call may be repeated: the same request answers 200 with the stored record.`,
  input: TriggerCreateRequest,
  output: TriggerResource,
  prepare: compileTrigger,
  run: async (ctx, input) => {
    const stored = await findRepeated(ctx, EventTrigger, 'external trigger', input, () => triggerDefaults)
    return stored ? full(ctx, stored) : makeTrigger(ctx, input)
  },
})

const triggerDefaults = { enabled: true, draft: false, output_mapping: {}, safety_settings: {} }

export const putTrigger = operation({
  name: 'triggers.put',
  makes: 'external trigger',
  area: 'triggers',
  permission: 'write',
  summary: 'Create or replace the trigger with this external id',
  description: `A field that the body leaves out gets its default; \`enabled\`, \`draft\` and the endpoint stay unless the body names them. ${enabling}`,
  input: TriggerPutRequest,
  output: TriggerResource,
  prepare: compileTrigger,
  run: async (ctx, input) => {
    const { external_id } = input
    const trigger = await triggerSubject.find(ctx, { external_id }, { lock: true })
    requireVersion(trigger, input.version)
    if (!trigger) {
      await rememberRequest(ctx, 'external trigger', input, () => triggerDefaults)
      return makeTrigger(ctx, { ...input, enabled: input.enabled ?? true, draft: input.draft ?? false })
    }
    ctx.revised()
    return change(ctx, input, trigger)
  },
})

async function makeTrigger(ctx: Context, input: z.output<typeof TriggerCreateRequest>) {
  const { tx, page, now } = ctx
  requireIdOfReport(input)
  const source_id = await sourceOf(tx, input)
  if (source_id === undefined)
    throw invalid([{ path: 'source_id', message: 'is required, unless `source` names the endpoint' }])
  const { name, enabled, draft, each_path, conditions, stage_mapping, silence_minutes } = input
  const trigger = tx.create(EventTrigger, {
    page_id: page.id,
    external_id: input.external_id ?? null,
    create_hash: ctx.createHash,
    ...{ name, source_id, enabled, draft, each_path, conditions, stage_mapping, silence_minutes },
    output_mapping: input.output_mapping,
    safety_settings: input.safety_settings,
    associations: await resolveAssociations(tx, input.associations, []),
    ...{ match_count: 0, last_matched_at: null, expensive_count: 0, disabled_because: null },
    version: 1,
    created_at: now,
    updated_at: now,
  })
  if (!input.confirm_no_evidence) await requireEvidenceOf(ctx, trigger)
  await tx.flush()
  return full(ctx, trigger)
}

export const updateTrigger = operation({
  name: 'triggers.update',
  area: 'triggers',
  permission: 'write',
  summary: 'Change a trigger of external events',
  description: `Each part is replaced as a whole. The change counts for events that are evaluated later. ${enabling}`,
  subject: triggerSubject,
  input: TriggerUpdateRequest,
  output: TriggerResource,
  prepare: compileTrigger,
  run: change,
})

async function change(
  ctx: Context,
  input: Omit<z.output<typeof TriggerUpdateRequest>, 'external_id'>,
  trigger: EventTrigger,
) {
  const { tx } = ctx
  const revise = trackRevision(ctx, triggerSubject, trigger)
  const before = watchedPaths(trigger)
  const { name, enabled, draft, each_path, conditions, silence_minutes } = input
  const { stage_mapping, output_mapping, safety_settings, associations } = input
  assignDefined(trigger, {
    ...{ name, enabled, draft, each_path, conditions, silence_minutes },
    ...{ stage_mapping, output_mapping, safety_settings },
    source_id: await sourceOf(tx, input),
    associations: associations && (await resolveAssociations(tx, associations, trigger.associations)),
  })
  requireIdOfReport(trigger)
  if (enabled) Object.assign(trigger, { disabled_because: null, expensive_count: 0 })
  const isRevised = revise()
  if (isRevised && !input.confirm_no_evidence && watchedPaths(trigger) !== before) await requireEvidenceOf(ctx, trigger)
  return full(ctx, trigger)
}

export const deleteTrigger = operation({
  name: 'triggers.delete',
  area: 'triggers',
  permission: 'write',
  summary: 'Delete a trigger of external events',
  description: 'No stage of a beat changes. Its evaluations stay with their events.',
  subject: triggerSubject,
  input: z.strictObject(versionToDelete()),
  output: message,
  run: async (ctx, _input, trigger) => {
    ctx.tx.remove(trigger)
    return { message: `The ${triggerName(trigger)} was deleted.` }
  },
})

/** Refuses the path of an event id that is the fingerprint, or the same for all elements of an event. */
function requireIdOfReport({ each_path, output_mapping }: Pick<EventTrigger, 'each_path' | 'output_mapping'>): void {
  const id = output_mapping.external_event_id_path
  const refuse = (text: string) => invalid([{ path: 'output_mapping.external_event_id_path', message: text }])
  if (isFingerprint(output_mapping, each_path !== null)) throw refuse(IS_FINGERPRINT)
  if (each_path === null || id === undefined || id.startsWith('$')) return
  throw refuse('must begin with $ together with each_path: the elements of an event need ids of their own')
}

/** The paths that an active trigger reads: only another path, or the activation, needs evidence. */
const watchedPaths = (trigger: EventTrigger): string =>
  JSON.stringify(trigger.enabled && !trigger.draft ? [trigger.source_id, pathsOf(trigger)] : null)

async function requireEvidenceOf({ tx, pageId, services }: Context, trigger: EventTrigger): Promise<void> {
  if (!trigger.enabled || trigger.draft) return
  const thread = { evaluator: services.evaluator, pageId }
  await requireEvidence(tx, thread, trigger.source_id, trigger)
}
