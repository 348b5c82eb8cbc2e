import { z } from 'zod'
import { type ProcessKind, processKinds } from '../../../workflows/processes.ts'
import { ProcessNote } from '../../persistence/entities/process-note.ts'
import { countProcesses, openRequest, type ProcessRow, readProcesses } from '../../persistence/process-reads.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, notFound } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../kernel/paging.ts'
import { momentOut, subjectFrom, subjectInQuery, view } from '../kernel/schema.ts'

/** The kinds of processes by their names in answers and filters. */
const kindOf = new Map(Object.keys(processKinds).map((kind) => [nameOf(kind), kind as ProcessKind]))
const kinds = [...kindOf.keys()]
function nameOf(kind: string): string {
  return kind.replaceAll('-', '_')
}

const states = ['waiting', 'running', 'done', 'stuck'] as const

const WorkflowResource = z
  .strictObject({
    workflow_id: z.string(),
    kind: z.enum(kinds),
    subject: z.strictObject({ kind: z.enum(kinds), id: z.int() }),
    state: z
      .enum(states)
      .describe(
        '`running`: a step is due, and has begun or waits for its turn; `stuck`: the steps have failed for a minute, or a step is due and no process of the page has taken a step for a minute',
      ),
    waiting_for: z.string().optional().describe('In words: `the reminder at …`'),
    until: momentOut().nullable().optional(),
    oldest_wakeup_at: momentOut()
      .nullable()
      .optional()
      .describe('When the oldest wake-up was written that no step has read yet'),
    problem: z.string().optional().describe('Why the last step failed'),
    started_at: momentOut(),
    updated_at: momentOut(),
  })
  .meta({ id: 'Workflow' })

function present(process: ProcessRow) {
  const kind = nameOf(process.kind)
  return {
    workflow_id: process.workflow_id,
    kind,
    subject: { kind, id: process.subject_id },
    state: process.state,
    waiting_for: process.waiting_for ?? undefined,
    until: process.until?.toISOString() ?? null,
    oldest_wakeup_at: process.oldest_wakeup_at?.toISOString() ?? null,
    problem: process.problem ?? undefined,
    started_at: process.started_at.toISOString(),
    updated_at: process.updated_at.toISOString(),
  }
}

const workflowId = z
  .string()
  .min(3)
  .max(60)
  .describe('Such as `incident:17`; of the kind `beat_group`, `beat-group:17`')

async function findProcess({ tx, now }: Context, workflow_id: string): Promise<ProcessRow> {
  const [process] = await readProcesses(tx, { workflow_id }, { now, limit: 1 })
  if (!process) throw notFound('workflow')
  return process
}

export const listWorkflows = operation({
  name: 'workflows.list',
  area: 'audit',
  permission: 'read',
  summary: 'List the processes of the page: what each waits for and until when',
  input: z.strictObject({
    kind: z.enum(kinds).optional(),
    subject: subjectInQuery(kinds),
    state: z.enum(states).optional(),
    ...pagingFields,
  }),
  output: listOf('workflows', WorkflowResource),
  run: async ({ tx, now }, { kind, subject, state, limit, cursor }) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.moment, cursorKeys.text]))
    const named = subjectFrom(subject)
    if (kind && named.kind && kind !== named.kind) {
      throw invalid([{ path: 'subject', message: `must be of the kind ${kind}, which \`kind\` names` }])
    }
    const only = { kind: kindOf.get(kind ?? named.kind ?? ''), subject_id: named.id, state }
    const rows = await readProcesses(tx, only, {
      now,
      after: after && { updated_at: new Date(after[0]), workflow_id: after[1] },
      limit: limit + 1,
    })
    const total = await countProcesses(tx, only, now)
    const page = pageOf(rows, limit, (row) => [row.updated_at.toISOString(), row.workflow_id])
    return { workflows: page.rows.map(present), total, next_cursor: page.next_cursor }
  },
})

export const getWorkflow = operation({
  name: 'workflows.get',
  area: 'audit',
  permission: 'read',
  summary: 'Get a process: its state, what it waits for, and its oldest wake-up',
  input: z.strictObject({ workflow_id: workflowId }),
  output: WorkflowResource,
  run: async (ctx, input) => present(await findProcess(ctx, input.workflow_id)),
})

const HistoryEvent = z
  .strictObject({ at: momentOut(), cause: z.string(), message: z.string() })
  .meta({ id: 'WorkflowEvent' })

const Inspection = z
  .strictObject({
    status: z
      .enum(['answered', 'forgotten', 'away'])
      .describe('`forgotten`: not started yet, or no longer retained; `away`: Temporal does not answer'),
    state: z
      .strictObject({ done: z.boolean(), says: z.string(), until: momentOut().optional() })
      .nullable()
      .optional()
      .describe('The state that the workflow itself reports; null without a worker that answers'),
    history: z.array(z.record(z.string(), z.unknown())).optional().describe('The events of the newest run in Temporal'),
  })
  .meta({ id: 'WorkflowInspection' })

/** The caller adds `temporal`, which is not in the database. */
export const getWorkflowHistory = operation({
  name: 'workflows.history',
  area: 'audit',
  permission: 'read',
  summary: 'Get the notes of a process: what the process did and why, newest first',
  description: 'With `view=full` also the state in Temporal; `temporal.status` is `away` if Temporal does not answer.',
  input: z.strictObject({ workflow_id: workflowId, view, ...pagingFields }),
  output: listOf('events', HistoryEvent).extend({ temporal: Inspection.optional() }),
  run: async (ctx, { workflow_id, limit, cursor }) => {
    await findProcess(ctx, workflow_id)
    const after = decodeCursor(cursor, z.tuple([cursorKeys.bigId]))
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

/** Stores the request; the caller wakes the process and waits for its step. */
export const askWorkflow = operation({
  name: 'workflows.wake',
  area: 'audit',
  permission: 'admin',
  summary: 'Make a process take a step now, and get its state after the step',
  description: 'Answers 200 with the process after its step, or 202 if the step has not ended within 2 s.',
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
    ctx.wake({ kind: process.kind as ProcessKind, id: process.subject_id }, `a request of ${ctx.actor.name}`)
    return { request_id, workflow: present(process) }
  },
})
