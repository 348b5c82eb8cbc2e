import { z } from 'zod'
import { BeatRun } from '../results/runs.ts'

/** A requested check has no slot; the check of a beat that is not saved is not stored. */
const CheckedRun = BeatRun.omit({ slot: true }).partial({ id: true, beat_id: true }).meta({ id: 'CheckedRun' })

export const CheckAnswer = z
  .strictObject({
    status: z
      .enum(['completed', 'accepted'])
      .describe('`accepted`: the check is not finished, repeat the request at `Location`'),
    check_id: z.int(),
    beat_id: z.int().optional(),
    region: z.string(),
    run: CheckedRun.optional(),
    stage: z.string().optional().describe('For a beat that is not saved: the stage by its rules'),
    problem: z
      .string()
      .optional()
      .describe('Why the check could not run, such as no worker in the region: such a run does not count'),
  })
  .meta({ id: 'CheckAnswer' })
