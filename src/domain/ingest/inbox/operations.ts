import { z } from 'zod'
import { EventEvaluation } from '../../../persistence/entities/event-evaluation.ts'
import { IngestEvent } from '../../../persistence/entities/ingest-event.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf } from '../../kernel/paging.ts'
import { mayDo } from '../../kernel/permissions.ts'
import { recordSubject } from '../../kernel/subject.ts'
import { presentCompact, presentFull, type ShownEvent } from './presenter.ts'
import { InboxEventResource, InboxListRequest } from './schema.ts'

/** A list leaves out larger payloads. */
const LISTED = 16 * 1024

const isAdmin = ({ actor }: Context) => actor.kind !== 'anonymous' && mayDo(actor, 'endpoints', 'admin')

export const listInboxEvents = operation({
  name: 'external_events.list',
  area: 'triggers',
  permission: 'read',
  summary: 'List the events of ingest endpoints, newest first',
  description:
    'Payloads are redacted. With `view=full` each event has its evaluations: what each trigger made of the event, and why.',
  input: InboxListRequest,
  output: listOf('external_events', InboxEventResource),
  run: async (ctx, { view, limit, cursor, trigger_id, outcome, ...filters }) => {
    const { tx } = ctx
    const after = decodeCursor(cursor, z.tuple([cursorKeys.bigId]))
    const { endpoint_id, state, from, to } = filters
    const received = { ...(from ? { $gte: new Date(from) } : {}), ...(to ? { $lt: new Date(to) } : {}) }
    const evaluated = { ...(trigger_id === undefined ? {} : { trigger_id }), ...(outcome ? { outcome } : {}) }
    const ids =
      Object.keys(evaluated).length > 0
        ? tx.createQueryBuilder(EventEvaluation).select('event_id').where(evaluated)
        : null
    const only = {
      ...(endpoint_id === undefined ? {} : { endpoint_id }),
      ...(state === undefined ? {} : { state }),
      ...(Object.keys(received).length > 0 ? { received_at: received } : {}),
      ...(ids ? { id: { $in: ids.toRaw() } } : {}),
    }
    const rows = await tx.find(IngestEvent, { $and: [only, after ? { id: { $lt: after[0] } } : {}] } as never, {
      orderBy: { id: 'desc' },
      limit: limit + 1,
      exclude: view === 'full' ? ['body'] : ['body', 'redacted', 'headers'],
    })
    const page = pageOf(rows as unknown as ShownEvent[], limit, ({ id }) => [id])
    const options = { mostCharacters: LISTED, showsConfirmation: isAdmin(ctx) }
    return {
      external_events: view === 'full' ? await presentFull(tx, page.rows, options) : page.rows.map(presentCompact),
      total: await tx.count(IngestEvent, only as never),
      next_cursor: page.next_cursor,
    }
  },
})

const eventSubject = recordSubject('external event', IngestEvent, ({ id }) => ({ id }))

export const getInboxEvent = operation({
  name: 'external_events.get',
  area: 'triggers',
  permission: 'read',
  summary: 'Get an event of an ingest endpoint, redacted, with its evaluations',
  subject: eventSubject,
  input: z.strictObject({}),
  output: InboxEventResource,
  run: async (ctx, _input, event) => {
    const redacted = event.state === 'pending' ? await redactNow(ctx, event) : event.redacted
    const options = { mostCharacters: Number.POSITIVE_INFINITY, showsConfirmation: isAdmin(ctx) }
    const [full] = await presentFull(ctx.tx, [{ ...event, redacted }], options)
    if (!full) throw notFound('external event')
    return full
  },
})

/** The copy of an event that is not evaluated yet, made on the evaluation thread because of its size. */
async function redactNow({ services, pageId }: Context, event: IngestEvent): Promise<string | null> {
  const document = { text: event.body, headers: event.headers, receivedAt: event.received_at.getTime() }
  const result = await services.evaluator.match(pageId, document, [])
  return 'ended' in result ? null : result.redacted
}
