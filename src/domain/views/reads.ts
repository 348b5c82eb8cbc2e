import { z } from 'zod'
import { operation } from '../kernel/operation.ts'
import { momentOut } from '../kernel/schema.ts'
import { readingIn } from '../translations/languages.ts'
import { languageInWords, readIn } from '../translations/schema.ts'
import { offeredView, viewCode } from './access.ts'
import { presentPublicView } from './presenter.ts'
import { accessModes } from './rules.ts'
import { PublicView } from './schema.ts'

const common = { area: 'audience', permission: 'public' } as const

/** Who may read a view. Readers get none of this. */
export const ViewRules = z.strictObject({
  id: z.int(),
  name: z.string(),
  access_mode: z.enum(accessModes),
  allowed_domains: z.array(z.string()),
  allowed_emails: z.array(z.string()),
  enabled: z.boolean(),
  expires_at: momentOut().nullable(),
})

export const getViewRules = operation({
  ...common,
  name: 'public.view_rules',
  summary: 'Get who may read a view',
  input: z.strictObject(viewCode),
  output: ViewRules,
  run: async (ctx, { view_code }) => {
    const { id, name, access_mode, allowed_domains, allowed_emails, enabled, expires_at } = await offeredView(
      ctx,
      view_code,
    )
    const access = { access_mode, allowed_domains, allowed_emails }
    return { id, name, ...access, enabled, expires_at: expires_at?.toISOString() ?? null }
  },
})

export const getPublicView = operation({
  ...common,
  name: 'public.view',
  summary: 'Get a custom view',
  description: `Readers who have not proved an address that the view allows get its name and access mode only. ${languageInWords}`,
  input: z.strictObject({ ...viewCode, ...readIn }),
  output: PublicView,
  run: async (ctx, { view_code, locale }) =>
    presentPublicView(ctx, await offeredView(ctx, view_code), await readingIn(ctx.tx, locale)),
})

export const getViewOutside = operation({
  ...common,
  name: 'public.view_outside',
  summary: 'Get the name of a view',
  input: z.strictObject({ ...viewCode, ...readIn }),
  output: PublicView,
  run: async (ctx, { view_code }) => {
    const { name, access_mode } = await offeredView(ctx, view_code)
    return { name, access_mode }
  },
})
