import { listInboxEvents } from '../../ingest/inbox/operations.ts'
import { counted } from '../../kernel/text-rules.ts'
import type { Response } from '../response-types.ts'
import { whichRecord } from './refusals.ts'
import { bullets, isRecord, plain, slotOf, when } from './text.ts'

const MOST = 10

export const answerIngestEvents: Response = async (ctx, { endpoint: found, from, to }) => {
  if (found && !isRecord(found)) return whichRecord(found, 'endpoint')
  const input = {
    ...{ view: 'full', limit: String(MOST) },
    ...(found ? { endpoint_id: String(found.id) } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  }
  const { external_events, total } = await ctx.read(listInboxEvents, { input })
  const lines = external_events.map(({ id, received_at, state, evaluations = [] }) => {
    const why = evaluations.map(
      ({ trigger_name, outcome, explanation }) =>
        `${plain(trigger_name ?? 'a deleted trigger', 80)}: ${outcome}, ${plain(explanation, 200)}`,
    )
    return `Event ${id} at ${when(received_at, ctx.zone)}: ${why.length > 0 ? why.join('; ') : state === 'pending' ? 'not evaluated yet' : 'no trigger'}`
  })
  const of = found ? ` of ${plain(found.name)}` : ''
  const summary = total === 0 ? `No event${of} was received.` : `${counted(total, 'event')}${of}.`
  return {
    ...{ outcome: 'answered', title: 'Events', summary },
    markdown: [summary, bullets(lines)].filter(Boolean).join('\n'),
    records: found ? [slotOf('endpoint', found)] : [],
  }
}
