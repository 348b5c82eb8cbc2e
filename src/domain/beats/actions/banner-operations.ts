import { z } from 'zod'
import { Banner } from '../../../persistence/entities/banner.ts'
import { operation } from '../../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../../kernel/paging.ts'
import { idInPath } from '../../kernel/schema.ts'
import { presentBanner } from './presenter.ts'
import { BannerResource } from './schema.ts'
import { bannerSubject } from './subject.ts'

export const listBanners = operation({
  name: 'banners.list',
  area: 'beats',
  permission: 'read',
  summary: 'List the banners that beats show operators, newest first',
  input: z.strictObject({
    state: z.enum(['open', 'dismissed']).optional(),
    beat_id: idInPath().optional(),
    beat_group_id: idInPath().optional(),
    ...pagingFields,
  }),
  output: listOf('banners', BannerResource),
  run: async ({ tx }, { state, beat_id, beat_group_id, limit, cursor }) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.bigId]))
    const only = {
      ...(state === undefined ? {} : { dismissed_at: state === 'open' ? null : { $ne: null } }),
      ...(beat_id === undefined ? {} : { beat_id }),
      ...(beat_group_id === undefined ? {} : { beat_group_id }),
    }
    const rows = await tx.find(
      Banner,
      { ...only, ...(after ? { id: { $lt: after[0] } } : {}) },
      { orderBy: { id: 'desc' }, limit: limit + 1 },
    )
    const page = pageOf(rows, limit, ({ id }) => [id])
    return {
      banners: page.rows.map(presentBanner),
      total: await tx.count(Banner, only),
      next_cursor: page.next_cursor,
    }
  },
})

export const dismissBanner = operation({
  name: 'banners.dismiss',
  area: 'beats',
  permission: 'write',
  summary: 'Dismiss a banner',
  description:
    'A dismissed banner stays dismissed; the next transition may show another banner. Dismissing twice answers 200 with the stored banner.',
  subject: bannerSubject,
  input: z.strictObject({}),
  output: BannerResource,
  run: async (ctx, _input, banner) => {
    if (banner.dismissed_at) ctx.existing()
    else Object.assign(banner, { dismissed_at: ctx.now, dismissed_by: ctx.actor.name })
    return presentBanner(banner)
  },
})
