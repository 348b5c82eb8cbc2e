import { z } from 'zod'
import type { Incident } from '../../persistence/entities/incident.ts'
import { IncidentUpdate } from '../../persistence/entities/incident-update.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, notFound } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../kernel/paging.ts'
import { idInPath } from '../kernel/schema.ts'
import { translateNew } from '../translations/write.ts'
import { requireStage, requireStatus, stagesOf, statusTypes } from '../vocabulary/lookup.ts'
import { RESOLVED } from '../vocabulary/rules.ts'
import { defaultMessage, writeUpdate } from './add-update.ts'
import { allows } from './policy.ts'
import { presentUpdates, presentWritten } from './presenter.ts'
import { IncidentUpdateCreateRequest, IncidentUpdateResource, WrittenIncidentUpdate } from './schema.ts'
import type { Action } from './state-rules.ts'
import { incidentSubject } from './subject.ts'

export const listUpdates = operation({
  name: 'incidents.updates.list',
  area: 'incidents',
  permission: 'read',
  summary: 'List the timeline of an incident, newest first',
  subject: incidentSubject,
  input: z.strictObject({ ...pagingFields }),
  output: listOf('updates', IncidentUpdateResource),
  run: async ({ tx }, { limit, cursor }, incident) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.id]))
    const where = { incident_id: incident.id, ...(after ? { id: { $lt: after[0] } } : {}) }
    const rows = await tx.find(IncidentUpdate, where, { orderBy: { id: 'desc' }, limit: limit + 1 })
    const total = await tx.count(IncidentUpdate, { incident_id: incident.id })
    const page = pageOf(rows, limit, (update) => [update.id])
    return { updates: await presentUpdates(tx, page.rows), total, next_cursor: page.next_cursor }
  },
})

export const getUpdate = operation({
  name: 'incidents.updates.get',
  area: 'incidents',
  permission: 'read',
  summary: 'Get one update of an incident',
  subject: incidentSubject,
  input: z.strictObject({ update_id: idInPath() }),
  output: IncidentUpdateResource,
  run: async ({ tx }, { update_id }, incident) => {
    const update = await tx.findOne(IncidentUpdate, { id: update_id, incident_id: incident.id })
    if (!update) throw notFound('update')
    return (await presentUpdates(tx, [update]))[0]!
  },
})

export const addUpdate = operation({
  name: 'incidents.updates.create',
  area: 'incidents',
  permission: 'write',
  summary: 'Post an update on an incident',
  description:
    'An update has a `message`, a `status` or both; without a `message` the entry names the status. On a resolved incident an update is a note: an open status answers 409. The status `resolved` resolves the incident, with the rules of resolving: with `require_resolution_reason` the update needs a `message`; without a `message` on a resolved incident the answer is 200 with the stored resolution. With `require_incident_ack_before_updates` a note or an open status answers 409 until an open incident is acknowledged; resolving and a note on a resolved incident need no acknowledgement.',
  subject: incidentSubject,
  input: IncidentUpdateCreateRequest,
  output: WrittenIncidentUpdate,
  run: async (ctx, input, incident) => {
    const { tx } = ctx
    const status = input.status ?? incident.status
    if (input.status !== undefined && status !== RESOLVED) requireStatus(await statusTypes(tx), status)
    if (!(await allows(ctx, incident, actionOf(input), input.status === RESOLVED ? 'message' : 'status'))) {
      ctx.existing()
      return presentWritten(tx, incident, await resolutionOf(ctx, incident))
    }
    const stage = requireStage(await stagesOf(tx, 'incident'), input)
    if (input.impact !== undefined) incident.impact = input.impact
    const { notify, reminder_interval_minutes: interval } = input
    const message = input.message ?? (await defaultMessage(ctx, status))
    const update = await writeUpdate(ctx, incident, {
      message,
      status,
      stageId: stage?.id,
      interval,
      notify,
    })
    await translateNew(ctx, ['incident_update', update.id], input.translations)
    return presentWritten(tx, incident, update)
  },
})

function actionOf({ message, status }: z.output<typeof IncidentUpdateCreateRequest>): Action {
  if (status === RESOLVED) return message ? 'update: resolved with a reason' : 'update: resolved without a reason'
  if (status !== undefined) return 'update: open status'
  if (message) return 'update: note'
  throw invalid([{ path: 'message', message: 'is required, unless a status is given' }])
}

/** The newest entry that resolved the incident. */
const resolutionOf = ({ tx }: Context, { id }: Incident): Promise<IncidentUpdate> =>
  tx.findOneOrFail(IncidentUpdate, { incident_id: id, is_resolution: true }, { orderBy: { id: 'desc' } })
