import { z } from 'zod'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { operation } from '../../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../../kernel/paging.ts'
import { view } from '../../kernel/schema.ts'
import { containsText } from '../../translations/search.ts'
import { BeatStage } from '../definition/schema.ts'
import { presentCompact, presentFull } from './presenter.ts'
import { BeatGroupResource } from './schema.ts'
import { groupSubject } from './subject.ts'

const search = () =>
  z.string().min(1).max(200).optional().describe('Only groups whose name or description contains this text')

export const listBeatGroups = operation({
  name: 'beat_groups.list',
  area: 'beats',
  permission: 'read',
  summary: 'List groups of beats, newest first',
  input: z.strictObject({ view, stage: BeatStage.optional(), search: search(), ...pagingFields }),
  output: listOf('beat_groups', BeatGroupResource),
  run: async ({ tx }, { view: how, stage, search: said, limit, cursor }) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.id]))
    const only = {
      ...(stage === undefined ? {} : { current_stage: stage }),
      ...(said === undefined ? {} : containsText('beat_group', ['name', 'description'], said, false)),
    }
    const rows = await tx.find(
      BeatGroup,
      { $and: [only, after ? { id: { $lt: after[0] } } : {}] },
      { orderBy: { id: 'desc' }, limit: limit + 1 },
    )
    const page = pageOf(rows, limit, ({ id }) => [id])
    const present = how === 'full' ? presentFull : presentCompact
    return {
      beat_groups: await present(tx, page.rows),
      total: await tx.count(BeatGroup, only),
      next_cursor: page.next_cursor,
    }
  },
})

export const getBeatGroup = operation({
  name: 'beat_groups.get',
  area: 'beats',
  permission: 'read',
  summary: 'Get a group of beats with its members',
  subject: groupSubject,
  input: z.strictObject({}),
  output: BeatGroupResource,
  run: async ({ tx }, _input, group) => (await presentFull(tx, [group]))[0]!,
})
