import { z } from 'zod'
import { momentOut } from '../kernel/schema.ts'

/** A check that somebody asked for. */
const CheckedRun = z
  .strictObject({
    id: z.int().optional(),
    beat_id: z.int().optional(),
    region: z.string(),
    at: momentOut(),
    ok: z.boolean(),
    latency_ms: z.number().nullable(),
    status_code: z.int().optional(),
    packet_loss: z.number().optional(),
    certificate_days: z.int().optional(),
    evidence: z.string(),
  })
  .meta({ id: 'CheckedRun' })

export const CheckAnswer = z
  .strictObject({
    status: z.enum(['completed', 'accepted']).describe('`accepted`: it is not over yet, ask again at `Location`'),
    check_id: z.int(),
    run: CheckedRun.optional(),
    stage: z.string().optional().describe('Of a beat that is not saved: where its rules would put it'),
    problem: z
      .string()
      .optional()
      .describe('Why nothing could be checked, such as no worker in the region: such a run counts for nothing'),
  })
  .meta({ id: 'CheckAnswer' })
