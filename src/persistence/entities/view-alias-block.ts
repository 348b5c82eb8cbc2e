import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

/** A word that no new alias of a view may be. */
export const ViewAliasBlock = defineEntity({
  name: 'ViewAliasBlock',
  tableName: 'view_alias_block',
  policies: pagePolicies(),
  uniques: [{ name: 'view_alias_block_value_key', properties: ['page_id', 'value'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    /** In lower case. */
    value: p.text(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type ViewAliasBlock = InferEntity<typeof ViewAliasBlock>
