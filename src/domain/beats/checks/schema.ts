import { z } from 'zod'
import { BeatRun } from '../results/runs.ts'

/** A check that somebody asked for has no place on the grid; of a beat that is not saved it is kept nowhere. */
const CheckedRun = BeatRun.omit({ slot: true }).partial({ id: true, beat_id: true }).meta({ id: 'CheckedRun' })

export const CheckAnswer = z
  .strictObject({
    status: z.enum(['completed', 'accepted']).describe('`accepted`: it is not over yet, ask again at `Location`'),
    check_id: z.int(),
    beat_id: z.int().optional(),
    region: z.string(),
    run: CheckedRun.optional(),
    stage: z.string().optional().describe('Of a beat that is not saved: where its rules would put it'),
    problem: z
      .string()
      .optional()
      .describe('Why nothing could be checked, such as no worker in the region: such a run counts for nothing'),
  })
  .meta({ id: 'CheckAnswer' })
