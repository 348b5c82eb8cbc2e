import type { z } from 'zod'
import { getBeatGroup } from '../../beats/groups/read.ts'
import { getBeat, listBeats } from '../../beats/operations/read-beats.ts'
import { listGroupTransitions, listTransitions } from '../../beats/results/transitions.ts'
import { counted } from '../../kernel/text-rules.ts'
import type { RecordSlot } from '../language/types.ts'
import type { Response, ResponseContext } from '../response-types.ts'
import { whichRecord } from './refusals.ts'
import { bullets, isRecord, named, plain, slotOf, when } from './text.ts'

type Beat = z.output<typeof getBeat.output> | z.output<typeof getBeatGroup.output>
type Transition = z.output<typeof listTransitions.output>['transitions'][number]

const MOST = 50

function beatLine(beat: Pick<Beat, 'id' | 'name'> & Partial<Beat> & { enabled?: boolean }): string {
  const { id, name, current_stage, last_evidence_summary, automation_paused, enabled } = beat
  const notes = [
    ...(enabled === false ? ['disabled'] : []),
    ...(automation_paused ? ['automation paused'] : []),
    ...(last_evidence_summary ? [plain(last_evidence_summary)] : []),
  ]
  return `${named(name, id)}: ${current_stage ?? 'unknown'}${notes.length > 0 ? ` — ${notes.join('; ')}` : ''}`
}

export const answerBeats: Response = async (ctx, { beat: found, item }) => {
  if (found && !isRecord(found)) return whichRecord(found, 'beat')
  if (item && !isRecord(item)) return whichRecord(item, 'item')
  if (found) return oneBeat(ctx, found)
  const input = { view: 'full', limit: String(MOST), ...(item ? { item_id: String(item.id) } : {}) }
  const { beats, total } = await ctx.read(listBeats, { input })
  const ill = beats.filter(({ current_stage }) => current_stage !== 'healthy')
  const of = item && isRecord(item) ? ` for ${plain(item.name)}` : ''
  const summary =
    total === 0
      ? `There is no beat${of}.`
      : `${counted(total, 'beat')}${of}, ${ill.length === 0 ? 'all healthy' : `${ill.length} not healthy`}.`
  return {
    ...{ outcome: 'answered', title: 'Beats', summary },
    markdown: [summary, bullets([...ill, ...beats.filter((beat) => !ill.includes(beat))].map(beatLine))]
      .filter(Boolean)
      .join('\n'),
    records: beats.map((beat) => slotOf('beat', beat)),
  }
}

const isGroup = ({ kind }: RecordSlot) => kind === 'beat_group'

const readOwner = (ctx: ResponseContext, slot: RecordSlot): Promise<Beat> =>
  isGroup(slot) ? ctx.read(getBeatGroup, { ref: { id: slot.id } }) : ctx.read(getBeat, { ref: { id: slot.id } })

async function oneBeat(ctx: ResponseContext, slot: RecordSlot) {
  const beat = await readOwner(ctx, slot)
  const summary = `${plain(beat.name)} is ${beat.current_stage ?? 'unknown'}.`
  const since = beat.last_state_changed_at ? [`Since ${when(beat.last_state_changed_at, ctx.zone)}`] : []
  return {
    ...{ outcome: 'answered' as const, title: beat.name, summary },
    markdown: [summary, bullets([beatLine(beat), ...since])].join('\n'),
    records: [slotOf(slot.kind, beat)],
  }
}

const NEAR_MS = 60 * 60 * 1000

/** Why a beat changed its stage: the newest transitions, or those around a moment. */
export const answerBeatWhy: Response = async (ctx, { beat: found, at }) => {
  const slot = isRecord(found) ? found : found ? undefined : await newestIll(ctx)
  if (!slot) return found ? whichRecord(found, 'beat') : { ...(await answerBeats(ctx, {})), title: 'No beat has fired' }
  const operation = isGroup(slot) ? listGroupTransitions : listTransitions
  const { transitions } = await ctx.read(operation, { ref: { id: slot.id }, input: { limit: '100' } })
  const near = at ? transitions.filter((one) => Math.abs(Date.parse(one.at) - Date.parse(at)) < NEAR_MS) : transitions
  const shown = near.slice(0, 3)
  const [last] = shown
  const summary = last
    ? `${plain(slot.name)} became ${last.to_stage} at ${when(last.at, ctx.zone)}: ${plain(last.evidence)}`
    : `${plain(slot.name)} has no change of its stage${at ? ` around ${when(at, ctx.zone)}` : ''}.`
  return {
    ...{ outcome: 'answered', title: `Why ${slot.name}`, summary },
    markdown: [summary, ...shown.map((one) => transitionText(one, ctx.zone))].join('\n'),
    records: [slot],
  }
}

async function newestIll(ctx: ResponseContext): Promise<RecordSlot | undefined> {
  const { beats } = await ctx.read(listBeats, { input: { view: 'full', limit: '100' } })
  const ill = beats.filter(({ current_stage }) => current_stage === 'critical' || current_stage === 'warning')
  const [newest] = ill.sort((a, b) => ((a.last_state_changed_at ?? '') < (b.last_state_changed_at ?? '') ? 1 : -1))
  return newest && slotOf('beat', newest)
}

function transitionText(
  { from_stage, to_stage, at, cause, evidence, actions, not_acted_because }: Transition,
  zone: string,
) {
  return bullets([
    `${when(at, zone)}: from ${from_stage ?? 'unknown'} to ${to_stage}, by ${plain(cause)}. ${plain(evidence)}`,
    ...actions.map(({ message }) => plain(message)),
    ...(not_acted_because ? [plain(not_acted_because)] : []),
  ])
}
