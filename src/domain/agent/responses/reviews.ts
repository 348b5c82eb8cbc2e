import { listActions } from '../../beats/actions/operations.ts'
import { getBeatGroup } from '../../beats/groups/read.ts'
import { getBeat } from '../../beats/operations/read-beats.ts'
import { Problem } from '../../kernel/errors.ts'
import { counted } from '../../kernel/text-rules.ts'
import type { Response, ResponseContext } from '../response-types.ts'
import { bullets, named, plain, slotOf, when } from './text.ts'

const MOST = 20

/** The reviews that wait, each with the event that caused the action. */
export const answerReviews: Response = async (ctx) => {
  const { beat_actions, total } = await ctx.read(listActions, {
    input: { state: 'pending_review', limit: String(MOST) },
  })
  const lines: string[] = []
  const records = []
  for (const { id, beat_id, beat_group_id, stage, kind, title, source, created_at } of beat_actions) {
    const owner = await ownerOf(ctx, { beat_id, beat_group_id })
    const by = source
      ? `, by the trigger ${named(source.trigger_name, source.trigger_id)} of the endpoint ${named(source.source_name, source.source_id)}, fingerprint ${plain(source.fingerprint, 80)}, event ${source.inbox_event_id}, ${source.admin_path}`
      : ''
    lines.push(
      `Review ${id}: ${kind} an incident for ${owner ? named(owner.name, owner.id) : 'a deleted beat'} at ${stage}, “${plain(title)}”, waits since ${when(created_at, ctx.zone)}${by}`,
    )
    records.push(slotOf('action', { id, name: owner?.name ?? title }))
  }
  const summary = total === 0 ? 'No review waits.' : `${counted(total, 'review')} ${total === 1 ? 'waits' : 'wait'}.`
  const sources = beat_actions.flatMap(({ source }) => (source ? [source] : []))
  return {
    ...{ outcome: 'answered', title: 'Reviews', summary },
    markdown: [summary, bullets(lines)].filter(Boolean).join('\n'),
    records,
    ...(sources.length > 0 ? { sources } : {}),
  }
}

/** The beat or group of an action; undefined if it was deleted. */
async function ownerOf(ctx: ResponseContext, of: { beat_id?: number | undefined; beat_group_id?: number | undefined }) {
  try {
    if (of.beat_id !== undefined) return await ctx.read(getBeat, { ref: { id: of.beat_id } })
    return await ctx.read(getBeatGroup, { ref: { id: of.beat_group_id! } })
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  }
}
