import { z } from 'zod'
import type { Beat } from '../../../persistence/entities/beat.ts'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../../kernel/paging.ts'
import { momentOut } from '../../kernel/schema.ts'
import { beatSubject } from '../definition/subject.ts'
import { groupSubject } from '../groups/subject.ts'

const BeatTransitionResource = z
  .strictObject({
    number: z.int().describe('Counts from 1 without gaps'),
    from_stage: z.string().nullable().describe('null: the stage was unknown before'),
    to_stage: z.string(),
    at: momentOut(),
    cause: z.string().describe('The check, call, missed call or event that changed the stage'),
    evidence: z.string(),
    actions: z
      .array(z.strictObject({ kind: z.string().optional(), id: z.int().optional(), message: z.string() }))
      .describe('The actions of this transition'),
    not_acted_because: z.string().optional().describe('Why the transition has no actions'),
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

const common = {
  area: 'beats',
  permission: 'read',
  input: z.strictObject(pagingFields),
  output: listOf('transitions', BeatTransitionResource),
} as const

export const listTransitions = operation({
  ...common,
  name: 'beats.transitions',
  summary: 'List the transitions of a beat, newest first, each with its actions or the reason for no action',
  subject: beatSubject,
  run: (ctx, paging, beat: Beat) => transitionsOf(ctx, 'beat', beat, paging),
})

export const listGroupTransitions = operation({
  ...common,
  name: 'beat_groups.transitions',
  summary: 'List the transitions of a group of beats, newest first, each with its actions or the reason for no action',
  description:
    'The stage of a group is the worst stage of its enabled members. A suppressed member counts with the stage from before the suppression.',
  subject: groupSubject,
  run: (ctx, paging, group: BeatGroup) => transitionsOf(ctx, 'beat_group', group, paging),
})

async function transitionsOf(
  { tx }: Context,
  owner_kind: BeatTransition['owner_kind'],
  { id, transition_number }: Beat | BeatGroup,
  { limit, cursor }: { limit: number; cursor?: string },
) {
  const after = decodeCursor(cursor, z.tuple([cursorKeys.id]))
  const rows = await tx.find(
    BeatTransition,
    { owner_kind, owner_id: id, ...(after ? { number: { $lt: after[0] } } : {}) },
    { orderBy: { number: 'desc' }, limit: limit + 1 },
  )
  const page = pageOf(rows, limit, ({ number }) => [number])
  // Transitions are numbered from 1 without gaps.
  return { transitions: page.rows.map(present), total: transition_number, next_cursor: page.next_cursor }
}
