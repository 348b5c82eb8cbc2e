import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { actingColumns } from './acting.ts'
import { id, json, pageId, wall } from './columns.ts'

/** A member of whom a group has told that it is ill. It may be switched off, elsewhere or deleted by now. */
export interface Told {
  beat_id: number
  name: string
  stage: 'warning' | 'critical'
  /** What it stood for then. */
  items: number[]
  /** It was deleted, and nobody knows whether it works again. */
  gone?: true
  /** Somebody has ended the incident that told of it: it is told of again only once it is worse, or was well meanwhile. */
  ended?: true
}

/** Beats that are told of together: the group is as ill as the worst of them, and the public actions are its own. */
export const BeatGroup = defineEntity({
  name: 'BeatGroup',
  tableName: 'beat_group',
  policies: wall(),
  uniques: [
    { name: 'beat_group_external_id_key', properties: ['page_id', 'external_id'] },
    { name: 'beat_group_wall_key', properties: ['page_id', 'id'] },
  ],
  properties: {
    id: id(),
    page_id: pageId(),
    message_source_mode: p.text().$type<'group' | 'member'>(),
    /** The members that its public actions tell of, as they were when they were last heard. */
    told: json<Told[]>(),
    ...actingColumns(),
  },
})
export type BeatGroup = InferEntity<typeof BeatGroup>
