import { z } from 'zod'
import { BeatAction } from '../../../persistence/entities/beat-action.ts'
import { operation } from '../../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../../kernel/paging.ts'
import { sourcesOf } from './event-sources.ts'
import { presentAction, presentCompact, presentWithSource } from './presenter.ts'
import { actionFilters, BeatActionResource } from './schema.ts'
import { actionSubject } from './subject.ts'

export const listActions = operation({
  name: 'beat_actions.list',
  area: 'reviews',
  permission: 'read',
  summary: 'List the public actions of beats and groups, newest first',
  description: '`state=pending_review` lists the actions that wait for a review.',
  input: z.strictObject({ ...actionFilters, ...pagingFields }),
  output: listOf('beat_actions', BeatActionResource),
  run: async ({ tx }, { view, state, beat_id, beat_group_id, limit, cursor }) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.bigId]))
    const of = [
      ...(beat_id === undefined ? [] : [{ owner_kind: 'beat' as const, owner_id: beat_id }]),
      ...(beat_group_id === undefined ? [] : [{ owner_kind: 'beat_group' as const, owner_id: beat_group_id }]),
    ]
    const only = { ...(state === undefined ? {} : { state }), ...(of.length > 0 ? { $and: of } : {}) }
    const rows = await tx.find(
      BeatAction,
      { ...only, ...(after ? { id: { $lt: after[0] } } : {}) },
      { orderBy: { id: 'desc' }, limit: limit + 1 },
    )
    const page = pageOf(rows, limit, ({ id }) => [id])
    const present = view === 'full' ? presentAction : presentCompact
    const sources = await sourcesOf(tx, page.rows, { previews: view === 'full' })
    return {
      beat_actions: page.rows.map((action) => ({ ...present(action), source: sources(action) })),
      total: await tx.count(BeatAction, only),
      next_cursor: page.next_cursor,
    }
  },
})

export const getAction = operation({
  name: 'beat_actions.get',
  area: 'reviews',
  permission: 'read',
  summary: 'Get an action of a beat or a group',
  subject: actionSubject,
  input: z.strictObject({}),
  output: BeatActionResource,
  run: async ({ tx }, _input, action) => presentWithSource(tx, action),
})
