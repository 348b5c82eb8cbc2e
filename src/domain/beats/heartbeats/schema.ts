import { z } from 'zod'
import { momentOut } from '../../kernel/schema.ts'

/** What a beat shows of the other side of a heartbeat. */
export const HeartbeatCalls = z
  .strictObject({
    last_call: z.string().optional().describe('`success`, `start`, `fail`, or an exit code such as `exit 1`'),
    last_call_at: momentOut().optional(),
    started_at: momentOut().optional().describe('Of a run whose end was not told yet'),
    last_duration_ms: z.int().optional().describe('Of the last run, if its beginning was told'),
    due_at: momentOut().describe('After this moment silence is a failure'),
  })
  .meta({ id: 'HeartbeatCalls' })
