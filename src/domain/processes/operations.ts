import { z } from 'zod'
import { Process } from '../../persistence/entities/process.ts'
import { ProcessNote } from '../../persistence/entities/process-note.ts'
import { oldestWakeups, openRequest } from '../../persistence/process-reads.ts'
import { notFound } from '../kernel/errors.ts'
import { operation, type Subject } from '../kernel/operation.ts'
import { decodeCursor, listOf, pageOf, pagingFields } from '../kernel/paging.ts'
import { momentOut } from '../kernel/schema.ts'
import { stateOf } from './rules.ts'

const states = ['waiting', 'running', 'done', 'stuck'] as const

export const WorkflowResource = z
  .strictObject({
    workflow_id: z.string(),
    kind: z.string(),
    subject: z.strictObject({ kind: z.string(), id: z.int() }),
    state: z.enum(states).describe('`stuck`: something happened and it has not looked for a minute'),
    waiting_for: z.string().optional().describe('In words: `the reminder at …`'),
    until: momentOut().nullable().optional(),
    oldest_wakeup_at: momentOut().nullable().optional().describe('Since when something waits to be looked at'),
    started_at: momentOut(),
    updated_at: momentOut(),
  })
  .meta({ id: 'Workflow' })

type Row = Process & { oldest_wakeup_at?: Date }

function present(process: Row, now: Date) {
  return {
    workflow_id: process.workflow_id,
    kind: process.kind,
    subject: { kind: process.kind, id: process.subject_id },
    state: stateOf(process, process.oldest_wakeup_at, now),
    waiting_for: process.waiting_for ?? undefined,
    until: process.until?.toISOString() ?? null,
    oldest_wakeup_at: process.oldest_wakeup_at?.toISOString() ?? null,
    started_at: process.started_at.toISOString(),
    updated_at: process.updated_at.toISOString(),
  }
}

const workflowId = z.string().min(3).max(60).describe('Such as `incident:17`')

/** Processes are named by their workflow id, which is no number. */
async function findProcess(ctx: Parameters<Subject<Row>['find']>[0], id: string): Promise<Row> {
  const process = await ctx.tx.findOne(Process, { workflow_id: id })
  if (!process) throw notFound('workflow')
  const wakeups = await oldestWakeups(ctx.tx, [id])
  return Object.assign(process, { oldest_wakeup_at: wakeups.get(id) })
}

export const listWorkflows = operation({
  name: 'workflows.list',
  area: 'audit',
  permission: 'read',
  summary: 'List the processes of the page: what each waits for and until when',
  input: z.strictObject({
    type: z.string().max(40).optional().describe('Only this kind, such as `incident`'),
    subject: z.coerce
      .number()
      .int()
      .min(1)
      .max(2 ** 31 - 1)
      .optional()
      .describe('Only this subject, such as `17`'),
    status: z.enum(states).optional(),
    ...pagingFields,
  }),
  output: listOf('workflows', WorkflowResource),
  run: async ({ tx, now }, { type, subject, status, limit, cursor }) => {
    const after = decodeCursor(cursor, z.tuple([z.iso.datetime(), z.string()]))
    const at = after && new Date(after[0])
    const only = {
      ...(type === undefined ? {} : { kind: type }),
      ...(subject === undefined ? {} : { subject_id: subject }),
      ...(status === undefined ? {} : { state: status }),
    }
    const rows = await tx.find(
      Process,
      after
        ? { ...only, $or: [{ updated_at: { $lt: at } }, { updated_at: at, workflow_id: { $lt: after[1] } }] }
        : only,
      { orderBy: [{ updated_at: 'desc' }, { workflow_id: 'desc' }], limit: limit + 1 },
    )
    const total = await tx.count(Process, only)
    const page = pageOf(rows, limit, (row) => [row.updated_at.toISOString(), row.workflow_id])
    const wakeups = await oldestWakeups(
      tx,
      page.rows.map((row) => row.workflow_id),
    )
    const workflows = page.rows.map((row) =>
      present(Object.assign(row, { oldest_wakeup_at: wakeups.get(row.workflow_id) }), now),
    )
    return { workflows, total, next_cursor: page.next_cursor }
  },
})

export const getWorkflow = operation({
  name: 'workflows.get',
  area: 'audit',
  permission: 'read',
  summary: 'Get a process: what it is doing, what it waits for and what is pending',
  input: z.strictObject({ workflow_id: workflowId }),
  output: WorkflowResource,
  run: async (ctx, input) => present(await findProcess(ctx, input.workflow_id), ctx.now),
})

const HistoryEvent = z
  .strictObject({ at: momentOut(), cause: z.string(), message: z.string() })
  .meta({ id: 'WorkflowEvent' })

export const getWorkflowHistory = operation({
  name: 'workflows.history',
  area: 'audit',
  permission: 'read',
  summary: 'Read what a process did and why, newest first',
  input: z.strictObject({ workflow_id: workflowId, ...pagingFields }),
  output: listOf('events', HistoryEvent),
  run: async (ctx, { workflow_id, limit, cursor }) => {
    await findProcess(ctx, workflow_id)
    const after = decodeCursor(cursor, z.tuple([z.int()]))
    const rows = await ctx.tx.find(
      ProcessNote,
      { workflow_id, ...(after ? { id: { $lt: after[0] } } : {}) },
      { orderBy: { id: 'desc' }, limit: limit + 1 },
    )
    const total = await ctx.tx.count(ProcessNote, { workflow_id })
    const page = pageOf(rows, limit, (note) => [note.id])
    const events = page.rows.map(({ at, cause, message }) => ({ at: at.toISOString(), cause, message }))
    return { events, total, next_cursor: page.next_cursor }
  },
})

/** The question is written here; ringing the process and waiting for the answer is the caller's. */
export const askWorkflow = operation({
  name: 'workflows.wake',
  area: 'audit',
  permission: 'admin',
  summary: 'Make a process look again now, and answer what it is doing then',
  description: 'Answers 200 with the process as it stands after it has looked, or 202 if it has not looked within 2 s.',
  input: z.strictObject({ workflow_id: workflowId }),
  output: z.strictObject({ request_id: z.int(), workflow: WorkflowResource }).meta({ id: 'WorkflowRequest' }),
  run: async (ctx, input) => {
    const process = await findProcess(ctx, input.workflow_id)
    const request_id = await openRequest(ctx.tx, {
      page_id: ctx.page.id,
      workflow_id: process.workflow_id,
      kind: 'look',
      now: ctx.now,
    })
    ctx.wake(process.workflow_id, `${ctx.actor.name}, who asked it to look`)
    return { request_id, workflow: present(process, ctx.now) }
  },
})
