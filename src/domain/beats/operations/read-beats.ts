import { z } from 'zod'
import { Beat } from '../../../persistence/entities/beat.ts'
import { operation } from '../../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../../kernel/paging.ts'
import { view } from '../../kernel/schema.ts'
import { presentCompact, presentFull, presentOne } from '../definition/presenter.ts'
import { BeatResource } from '../definition/schema.ts'
import { beatSubject } from '../definition/subject.ts'
import { filterFields, whereOf } from './filters.ts'

export const listBeats = operation({
  name: 'beats.list',
  area: 'beats',
  permission: 'read',
  summary: 'List beats, newest first',
  input: z.strictObject({ view, ...filterFields, ...pagingFields }),
  output: listOf('beats', BeatResource),
  run: async (ctx, { view: how, limit, cursor, ...asked }) => {
    const { tx } = ctx
    const after = decodeCursor(cursor, z.tuple([cursorKeys.id]))
    const only = await whereOf(tx, asked)
    const rows = await tx.find(
      Beat,
      { $and: [only, after ? { id: { $lt: after[0] } } : {}] },
      { orderBy: { id: 'desc' }, limit: limit + 1 },
    )
    const page = pageOf(rows, limit, ({ id }) => [id])
    const beats = how === 'full' ? await presentFull(ctx, page.rows) : await presentCompact(tx, page.rows)
    return { beats, total: await tx.count(Beat, only), next_cursor: page.next_cursor }
  },
})

export const getBeat = operation({
  name: 'beats.get',
  area: 'beats',
  permission: 'read',
  summary: 'Get a beat',
  subject: beatSubject,
  input: z.strictObject({}),
  output: BeatResource,
  run: async (ctx, _input, beat) => presentOne(ctx, beat),
})
