import { z } from 'zod'
import { Process } from '../../persistence/entities/process.ts'
import { ProcessNote } from '../../persistence/entities/process-note.ts'
import { operation } from '../kernel/operation.ts'
import { moment } from '../kernel/schema.ts'

const NEAR_MS = 15 * 60 * 1000
const MOST = 15
const NEXT = 5

/** The processes of the agent itself explain nothing. */
const ofAgent = ['delegation:%', 'plan:%'].map((prefix) => ({ workflow_id: { $like: prefix } }))

const Answer = z.strictObject({
  notes: z.array(z.strictObject({ at: z.string(), workflow_id: z.string(), message: z.string() })),
  next: z.array(z.strictObject({ workflow_id: z.string(), waiting_for: z.string(), until: z.string() })),
})

/** What the processes of the page did around a moment, and what is due next. */
export const listNotesAround = operation({
  name: 'agent.notes',
  area: 'audit',
  permission: 'read',
  summary: 'List what the processes did around a moment',
  input: z.strictObject({ at: moment() }),
  output: Answer,
  run: async ({ tx, now }, { at }) => {
    const [from, to] = [-NEAR_MS, NEAR_MS].map((shift) => new Date(Date.parse(at) + shift))
    const notes = await tx.find(
      ProcessNote,
      { at: { $gte: from!, $lte: to! }, $not: { $or: ofAgent } },
      { orderBy: { id: 'asc' }, limit: MOST },
    )
    const next = await tx.find(
      Process,
      { state: 'waiting', until: { $gt: now }, $not: { $or: ofAgent } },
      { orderBy: { until: 'asc' }, limit: NEXT },
    )
    return {
      notes: notes.map(({ at: noted, workflow_id, message }) => ({ at: noted.toISOString(), workflow_id, message })),
      next: next.map(({ workflow_id, waiting_for, until }) => ({
        workflow_id,
        waiting_for: waiting_for ?? '',
        until: until!.toISOString(),
      })),
    }
  },
})
