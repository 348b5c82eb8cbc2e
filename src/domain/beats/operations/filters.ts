import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql'
import { z } from 'zod'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatComponent } from '../../../persistence/entities/beat-component.ts'
import { idInPath } from '../../kernel/schema.ts'
import { containsText } from '../../translations/search.ts'
import { BeatType } from '../definition/fields.ts'
import { BeatStage } from '../definition/schema.ts'

/** The filters of a list of beats. */
export const filterFields = {
  stage: z
    .enum([...BeatStage.options, 'unknown'])
    .optional()
    .describe('`unknown` for beats whose stage is unknown'),
  type: BeatType.optional(),
  enabled: z.stringbool().optional(),
  beat_group_id: idInPath().optional().describe('Only the members of this group'),
  item_id: idInPath().optional().describe('Only beats with this mapped item'),
  search: z.string().min(1).max(200).optional().describe('Only beats whose name or description contains this text'),
}

const filters = z.object(filterFields)

export async function whereOf(tx: EntityManager, asked: z.output<typeof filters>): Promise<FilterQuery<Beat>> {
  const { stage, type, enabled, beat_group_id, item_id, search } = asked
  const parts: FilterQuery<Beat>[] = []
  if (stage === 'unknown') parts.push({ $or: [{ current_stage: null }, { unknown_since: { $ne: null } }] })
  else if (stage !== undefined) parts.push({ current_stage: stage, unknown_since: null })
  if (type !== undefined) parts.push({ type })
  if (enabled !== undefined) parts.push({ enabled })
  if (beat_group_id !== undefined) parts.push({ beat_group_id })
  if (item_id !== undefined) {
    const mapped = await tx.find(BeatComponent, { owner_kind: 'beat', item_id }, { fields: ['owner_id'] })
    parts.push({ id: { $in: mapped.map(({ owner_id }) => owner_id) } })
  }
  if (search !== undefined) parts.push(containsText('beat', ['name', 'description'], search, false))
  return parts.length > 0 ? { $and: parts } : {}
}
