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

const common = {
  area: 'beats',
  permission: 'read',
  input: z.strictObject(pagingFields),
  output: listOf('transitions', BeatTransitionResource),
} as const

export const listTransitions = operation({
  ...common,
  name: 'beats.transitions',
  summary: 'List the changes of the stage of a beat, newest first, with what was done or why nothing was',
  subject: beatSubject,
  run: (ctx, paging, beat: Beat) => transitionsOf(ctx, 'beat', beat, paging),
})

export const listGroupTransitions = operation({
  ...common,
  name: 'beat_groups.transitions',
  summary: 'List the changes of the stage of a group of beats, newest first, with what was done or why nothing was',
  description:
    'Of the worst of its members; and, where members that are held back have it tell another stage than that, of what it tells.',
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
  // They are numbered from 1.
  return { transitions: page.rows.map(present), total: transition_number, next_cursor: page.next_cursor }
}
