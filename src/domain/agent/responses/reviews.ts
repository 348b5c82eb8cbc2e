import { listActions } from '../../beats/actions/operations.ts'
import { getBeatGroup } from '../../beats/groups/read.ts'
import { getBeat } from '../../beats/operations/read-beats.ts'
import type { Response } from '../response-types.ts'
import { bullets, counted, named, plain, slotOf, when } from './text.ts'

const MOST = 20

/** The reviews that wait, each with the event that caused the action. */
export const answerReviews: Response = async (ctx) => {
  const { beat_actions, total } = await ctx.read(listActions, {
    input: { state: 'pending_review', limit: String(MOST) },
  })
  const lines: string[] = []
  const records = []
  for (const { id, beat_id, beat_group_id, stage, kind, title, source, created_at } of beat_actions) {
    const owner = beat_id
      ? await ctx.read(getBeat, { ref: { id: beat_id } })
      : await ctx.read(getBeatGroup, { ref: { id: beat_group_id! } })
    const by = source
      ? `, by the trigger ${named(source.trigger_name, source.trigger_id)} of the endpoint ${named(source.source_name, source.source_id)}, fingerprint ${plain(source.fingerprint, 80)}, event ${source.inbox_event_id}, ${source.admin_path}`
      : ''
    lines.push(
      `Review ${id}: ${kind} an incident for ${named(owner.name, owner.id)} at ${stage}, “${plain(title)}”, waits since ${when(created_at, ctx.zone)}${by}`,
    )
    records.push(slotOf('action', { id, name: owner.name }))
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
