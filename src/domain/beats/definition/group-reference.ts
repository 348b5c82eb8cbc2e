import { z } from 'zod'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { externalId, id } from '../../kernel/schema.ts'
import { groupName } from '../definition/naming-rules.ts'

/** The reference of a beat to its group, as an alternative to `beat_group_id`. */
export const BeatGroupRef = z
  .strictObject({ id: id().optional(), external_id: externalId().optional() })
  .refine((reference) => (reference.id ?? reference.external_id) !== undefined, 'needs an id or an external_id')
  .meta({ id: 'BeatGroupRef' })

interface GroupFields {
  beat_group_id?: number | null
  beat_group?: z.output<typeof BeatGroupRef> | null
}

/** The group that a request names by `beat_group_id`, by `beat_group`, or by both, which must agree; null for none. */
export async function groupIdOf({ tx }: Context, fields: GroupFields): Promise<number | null | undefined> {
  const { beat_group_id, beat_group } = fields
  if (beat_group === undefined) return beat_group_id
  const named = beat_group && (await tx.findOne(BeatGroup, beat_group))
  if (beat_group && !named) {
    throw invalid([{ path: 'beat_group', message: `no beat group on this page has ${inWords(beat_group)}` }])
  }
  const groupId = named?.id ?? null
  if (beat_group_id !== undefined && beat_group_id !== groupId) {
    const names = named ? `the ${groupName(named)}` : 'no group'
    throw invalid([{ path: 'beat_group', message: `names ${names}, but beat_group_id is ${beat_group_id}` }])
  }
  return groupId
}

export const inWords = ({ id: number, external_id }: { id?: number; external_id?: string }) =>
  [
    ...(number === undefined ? [] : [`the id ${number}`]),
    ...(external_id === undefined ? [] : [`the external_id "${external_id}"`]),
  ].join(' and ')
