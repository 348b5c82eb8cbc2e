import { isSecretPath } from '../../../outbound/secret-rules.ts'
import type { EventTrigger } from '../../../persistence/entities/event-trigger.ts'
import { type StoredEvent, windowOfEvents } from '../../../persistence/ingest-events.ts'
import { readRoot } from '../../evaluation/path-roots.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { overloaded } from '../decisions/match-event.ts'
import { beatsOfTriggers } from '../triggers/associations.ts'
import { pathsWithoutEvidence } from '../triggers/evidence-check.ts'
import { compileTrigger, conditionPathsOf } from '../triggers/programs.ts'
import { resolveAssociations, sourceOf } from '../triggers/references.ts'
import { triggerSubject } from '../triggers/subject.ts'
import { broadness, flappingOf, pairing } from './findings.ts'
import { DraftPreviewRequest, PreviewResource, SavedPreviewRequest } from './schema.ts'
import { type Simulated, type SimulatedRule, type Simulation, simulate } from './simulate.ts'
import { wouldBeActions } from './would-be-actions.ts'

/** The counts of a preview are of all matches. */
const MOST_SHOWN = 5000

type Previewed = SimulatedRule & Pick<EventTrigger, 'associations' | 'safety_settings'>
interface Window {
  from?: string | undefined
  to?: string | undefined
  limit: number
}

const inWords =
  'Evaluates the trigger over stored events of its endpoint as the inbox would, and writes nothing: no stage, no action, no notification. Conditions see the redacted values of the events.'

export const previewDraft = operation({
  name: 'triggers.preview',
  area: 'triggers',
  permission: 'write',
  changes: false,
  summary: 'Preview a trigger that is not stored',
  description: inWords,
  input: DraftPreviewRequest,
  output: PreviewResource,
  prepare: (services, page, { trigger }) => compileTrigger(services, page, trigger),
  run: async (ctx, { trigger, ...window }) => {
    const { tx } = ctx
    const source_id = await sourceOf(tx, trigger)
    if (source_id === undefined) {
      throw invalid([{ path: 'trigger.source_id', message: 'is required, unless `source` names the endpoint' }])
    }
    const associations = await resolveAssociations(tx, trigger.associations, [])
    const { external_id = null, ...parts } = trigger
    // No stored trigger has this id: the event ids of a draft meet no stored evaluations.
    const rule = { ...parts, id: 0, external_id, source_id, associations }
    return preview(ctx, rule, window)
  },
})

export const previewTrigger = operation({
  name: 'triggers.stored.preview',
  area: 'triggers',
  permission: 'write',
  changes: false,
  summary: 'Preview a stored trigger, or changes of it',
  description: `${inWords} With \`trigger\` the answer is that of the changed trigger, and \`changes\` has the events on which the two differ.`,
  subject: triggerSubject,
  input: SavedPreviewRequest,
  output: PreviewResource,
  prepare: (services, page, { trigger }) => compileTrigger(services, page, trigger ?? {}),
  run: async (ctx, { trigger, ...window }, stored) => {
    const { id, external_id, source_id, silence_minutes, each_path, conditions } = stored
    const { stage_mapping, output_mapping, safety_settings, associations } = stored
    const saved: Previewed = {
      ...{ id, external_id, source_id, silence_minutes, each_path, conditions },
      ...{ stage_mapping, output_mapping, safety_settings, associations },
    }
    if (!trigger) return preview(ctx, saved, window)
    const { source, associations: requested, ...parts } = trigger
    const given = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))
    const proposed: Previewed = {
      ...saved,
      ...given,
      source_id: (await sourceOf(ctx.tx, { source, source_id: parts.source_id })) ?? source_id,
      associations: requested ? await resolveAssociations(ctx.tx, requested, associations) : associations,
    }
    const before = await run(ctx, saved, window)
    const after = await run(ctx, proposed, window)
    return { ...(await report(ctx, proposed, after)), changes: changesBetween(before.results, after.results) }
  },
})

const preview = async (ctx: Context, rule: Previewed, window: Window) => report(ctx, rule, await run(ctx, rule, window))

async function run(ctx: Context, rule: Previewed, window: Window): Promise<Simulation & { beatIds: number[] }> {
  const { tx, services, pageId } = ctx
  const beatIds = (await beatsOfTriggers(tx, [rule]))(rule).stage
  const simulation = await simulate(
    { evaluator: services.evaluator, pageId },
    rule,
    beatIds,
    redactedEvents(ctx, rule, window),
  )
  return { ...simulation, beatIds }
}

/** The redacted copies of the newest events of the window, oldest first. */
async function* redactedEvents(
  ctx: Context,
  rule: Previewed,
  { from, to, limit }: Window,
): AsyncGenerator<StoredEvent> {
  const { tx, services, pageId } = ctx
  if (from && to && Date.parse(to) < Date.parse(from)) {
    throw invalid([{ path: 'to', message: 'must not be before `from`' }])
  }
  const window = { from: from ? new Date(from) : null, to: to ? new Date(to) : null, limit }
  for await (const event of windowOfEvents(tx, rule.source_id, window)) {
    if (event.redacted !== null) yield { ...event, body: event.redacted }
    else {
      const document = { text: event.body, headers: event.headers, receivedAt: event.received_at.getTime() }
      const result = await services.evaluator.match(pageId, document, [])
      if ('ended' in result) throw overloaded()
      yield { ...event, body: result.redacted }
    }
  }
}

async function report(ctx: Context, rule: Previewed, simulation: Simulation & { beatIds: number[] }) {
  const { results, evaluated } = simulation
  const { actions, auto_post_risk } = await wouldBeActions(ctx.tx, simulation.beatIds, results, rule.safety_settings)
  return {
    evaluated,
    matched: results.slice(0, MOST_SHOWN).map(({ event_id, element, label, stage, fingerprint, leaf }) => ({
      ...{ event_id, element, label, stage, fingerprint, leaf },
    })),
    ...pairing(results),
    duplicates: results.filter(({ label }) => label === 'duplicate').length,
    flapping: flappingOf(results),
    actions,
    auto_post_risk,
    warnings: await warningsOf(ctx, rule, simulation, auto_post_risk),
  }
}

async function warningsOf({ tx, services, pageId }: Context, rule: Previewed, simulation: Simulation, risk: boolean) {
  const { values = {}, default_stage } = rule.stage_mapping
  const broad = broadness(simulation)
  const missing = await pathsWithoutEvidence(tx, { evaluator: services.evaluator, pageId }, rule.source_id, rule)
  const redacted = conditionPathsOf(rule).filter(isSecretPath)
  const recovers = [...Object.values(values), default_stage].includes('healthy') || rule.silence_minutes !== null
  return [
    ...(broad ? [{ code: 'matches_everything' as const, message: broad }] : []),
    ...(recovers
      ? []
      : [{ code: 'no_recovery' as const, message: 'No state maps to healthy: a stage would never end.' }]),
    ...(risk || rule.safety_settings.public_post_mode === 'automatic'
      ? [{ code: 'automatic_public_post' as const, message: 'Public posts would be published without a review.' }]
      : []),
    ...missing.map(({ field, path }) => ({
      code: 'no_evidence' as const,
      message: `${field}: no stored event has a value at ${path}.`,
    })),
    ...redacted.map((path) => ({
      code: 'redacted_values' as const,
      message:
        readRoot(path)?.root === 'header'
          ? `The condition on ${path} can never match a value: headers that carry credentials are not stored.`
          : `The condition on ${path} sees [redacted] in this preview, and the value of the event in the inbox.`,
    })),
  ]
}

/** The matches on which two evaluations of the same events differ. */
function changesBetween(before: Simulated[], after: Simulated[]) {
  const keyOf = ({ event_id, element }: Simulated) => `${event_id}:${element}`
  const shown = (one: Simulated | undefined) =>
    one ? { label: one.label, stage: one.stage, fingerprint: one.fingerprint } : null
  const [saved, proposed] = [before, after].map((list) => new Map(list.map((one) => [keyOf(one), one])))
  const keys = [...new Set([...saved!.keys(), ...proposed!.keys()])]
  return keys.flatMap((key) => {
    const [one, other] = [shown(saved!.get(key)), shown(proposed!.get(key))]
    if (JSON.stringify(one) === JSON.stringify(other)) return []
    const { event_id, element } = (saved!.get(key) ?? proposed!.get(key))!
    return [{ event_id, element, saved: one, proposed: other }]
  })
}
