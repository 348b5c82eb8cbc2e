import { z } from 'zod'
import { CssPreview } from '../../persistence/entities/css-preview.ts'
import { inPageTransaction } from '../../persistence/transactions.ts'
import type { Context, PageRef } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import type { Keyring } from '../kernel/keyring.ts'
import { operation } from '../kernel/operation.ts'
import { momentOut, shownOnce, text } from '../kernel/schema.ts'
import type { Services } from '../kernel/services.ts'
import { withDatabase } from '../kernel/unavailable.ts'
import { LONGEST_CSS } from '../settings/css/bounds.ts'
import { cssHosts } from '../settings/css/css-hosts.ts'
import { cssErrors } from '../settings/css/custom-css.ts'
import { settingsOf } from '../settings/stored.ts'
import { addressesOf } from './rules.ts'

const LIFE_MS = 15 * 60 * 1000
const MOST_PREVIEWS = 20

export const createCssPreview = operation({
  name: 'settings.css_preview',
  makes: 'CSS preview',
  area: 'settings',
  permission: 'admin',
  affectsPage: false,
  summary: 'Show custom CSS on the page for 15 minutes, without storing it in the settings',
  description: `Everyone who may read the page and has the address sees the CSS. The newest ${MOST_PREVIEWS} previews of a page work.`,
  input: z.strictObject({ custom_css: text(LONGEST_CSS) }),
  output: z
    .strictObject({
      token: shownOnce(z.string().optional()).describe('The value of `css_preview` in addresses of the page'),
      expires_at: momentOut(),
      url: shownOnce(z.string().optional()),
    })
    .meta({ id: 'CssPreview' }),
  run: async (ctx, { custom_css }) => {
    const { tx, page, now, services } = ctx
    const errors = cssErrors(custom_css, cssHosts(await settingsOf(tx)))
    if (errors.length > 0) throw invalid(errors)
    await forgetOldest(ctx)
    const expires_at = new Date(now.getTime() + LIFE_MS)
    const preview = tx.create(CssPreview, { page_id: page.id, css: custom_css, expires_at })
    await tx.flush()
    ctx.made = preview.id
    const token = `${preview.id}.${services.keyring.sign(String(preview.id), contextOf(page, expires_at))}`
    const url = new URL(addressesOf(page, services).public_url)
    url.searchParams.set('css_preview', token)
    return { token, expires_at: expires_at.toISOString(), url: url.href }
  },
})

/** A restored database can give the number of a preview to another preview. */
const contextOf = ({ id }: PageRef, expiresAt: Date) => `CSS preview of page ${id} until ${expiresAt.toISOString()}`

async function forgetOldest({ tx, now }: Context): Promise<void> {
  await tx.nativeDelete(CssPreview, { expires_at: { $lte: now } })
  const kept = await tx.findAll(CssPreview, { fields: ['id'], orderBy: { id: 'desc' } })
  const oldest = kept.slice(MOST_PREVIEWS - 1).map(({ id }) => id)
  if (oldest.length > 0) await tx.nativeDelete(CssPreview, { id: { $in: oldest } })
}

/** The CSS of a preview of this page that has not ended. */
export async function previewedCss(
  { app, keyring, clock }: Pick<Services, 'app' | 'clock'> & { keyring: Keyring },
  page: PageRef,
  token: unknown,
): Promise<string | undefined> {
  const [, id, signature = ''] = typeof token === 'string' ? (/^([1-9]\d{0,8})\.([\w-]{1,50})$/.exec(token) ?? []) : []
  if (id === undefined) return undefined
  const read = () => inPageTransaction(app, page.id, (tx) => tx.findOne(CssPreview, { id: Number(id) }))
  const preview = await withDatabase(read)
  if (!preview || preview.expires_at <= clock()) return undefined
  return keyring.verify(id, contextOf(page, preview.expires_at), signature) ? preview.css : undefined
}
