import { z } from 'zod'
import { momentOut } from '../../kernel/schema.ts'

/** The calls of a heartbeat in answers. */
export const HeartbeatCalls = z
  .strictObject({
    last_call: z.string().optional().describe('`success`, `start`, `fail`, or an exit code such as `exit 1`'),
    last_call_at: momentOut().optional(),
    started_at: momentOut().optional().describe('The start of a run whose end was not reported yet'),
    last_duration_ms: z.int().optional().describe('The duration of the last run, if its start was reported'),
    due_at: momentOut().describe('A call that has not arrived by this moment is missed'),
  })
  .meta({ id: 'HeartbeatCalls' })
