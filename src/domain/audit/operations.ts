import { z } from 'zod'
import { AuditEvent } from '../../persistence/entities/audit-event.ts'
import { invalid } from '../kernel/errors.ts'
import { oneOf } from '../kernel/issue-words.ts'
import { auditedOperations, operation } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../kernel/paging.ts'
import { momentOut } from '../kernel/schema.ts'

const AuditEventResource = z
  .strictObject({
    id: z.int(),
    at: momentOut(),
    operation: z.string(),
    actor: z.strictObject({ kind: z.string(), id: z.int().optional(), name: z.string() }),
    subject: z.strictObject({ kind: z.string(), id: z.int().optional() }).optional(),
    request_id: z.string(),
    before: z.record(z.string(), z.unknown()).optional().describe('The previous values of the changed fields'),
    after: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The new values of the changed fields, or the new record'),
  })
  .meta({ id: 'AuditEvent' })

function present(event: AuditEvent) {
  return {
    id: event.id,
    at: event.at.toISOString(),
    operation: event.operation,
    actor: { kind: event.actor_kind, id: event.actor_id ?? undefined, name: event.actor_name },
    subject: event.subject_kind ? { kind: event.subject_kind, id: event.subject_id ?? undefined } : undefined,
    request_id: event.request_id,
    before: event.before ?? undefined,
    after: event.after ?? undefined,
  }
}

export const listAuditEvents = operation({
  name: 'audit.list',
  area: 'audit',
  permission: 'admin',
  summary: 'List who changed what, newest first',
  changes: false,
  input: z.strictObject({
    operation: z.string().max(100).optional().describe('Only this operation, such as `incidents.resolve`'),
    ...pagingFields,
  }),
  output: listOf('audit_events', AuditEventResource),
  run: async ({ tx }, { operation: name, limit, cursor }) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.bigId]))
    if (name !== undefined && !auditedOperations().includes(name)) {
      throw invalid([{ path: 'operation', message: `must be ${oneOf(auditedOperations())}` }])
    }
    const only = name === undefined ? {} : { operation: name }
    const rows = await tx.find(
      AuditEvent,
      { ...only, ...(after ? { id: { $lt: after[0] } } : {}) },
      { orderBy: { id: 'desc' }, limit: limit + 1 },
    )
    const total = await tx.count(AuditEvent, only)
    const page = pageOf(rows, limit, (event) => [event.id])
    return { audit_events: page.rows.map(present), total, next_cursor: page.next_cursor }
  },
})
