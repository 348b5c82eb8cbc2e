import { z } from 'zod'
import type { Beat } from '../../persistence/entities/beat.ts'
import { BeatTransition } from '../../persistence/entities/beat-transition.ts'
import { beatSubject } from '../beats/subject.ts'
import { operation } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../kernel/paging.ts'
import { momentOut } from '../kernel/schema.ts'

const BeatTransitionResource = z
  .strictObject({
    number: z.int().describe('Counts from 1 without gaps'),
    from_stage: z.string().nullable().describe('null: it was not known before'),
    to_stage: z.string(),
    at: momentOut(),
    cause: z.string().describe('What reported it'),
    evidence: z.string(),
    actions: z
      .array(z.strictObject({ kind: z.string().optional(), id: z.int().optional(), message: z.string() }))
      .describe('What was done'),
    not_acted_because: z.string().optional(),
  })
  .meta({ id: 'BeatTransition' })

type Actions = z.input<typeof BeatTransitionResource>['actions']

const present = (transition: BeatTransition): z.input<typeof BeatTransitionResource> => ({
  number: transition.number,
  from_stage: transition.from_stage,
  to_stage: transition.to_stage,
  at: transition.at.toISOString(),
  cause: transition.cause,
  evidence: transition.evidence,
  actions: transition.actions as Actions,
  not_acted_because: transition.not_acted_because ?? undefined,
})

export const listTransitions = operation({
  name: 'beats.transitions',
  area: 'beats',
  permission: 'read',
  summary: 'List the changes of the stage of a beat, newest first, with what was done or why nothing was',
  subject: beatSubject,
  input: z.strictObject(pagingFields),
  output: listOf('transitions', BeatTransitionResource),
  run: async ({ tx }, { limit, cursor }, beat: Beat) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.id]))
    const own = { owner_kind: 'beat' as const, owner_id: beat.id }
    const rows = await tx.find(
      BeatTransition,
      { ...own, ...(after ? { number: { $lt: after[0] } } : {}) },
      { orderBy: { number: 'desc' }, limit: limit + 1 },
    )
    const page = pageOf(rows, limit, ({ number }) => [number])
    return {
      transitions: page.rows.map(present),
      // They are numbered from 1.
      total: beat.transition_number,
      next_cursor: page.next_cursor,
    }
  },
})
