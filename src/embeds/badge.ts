import { type BadgeView, getBadge } from '../domain/embeds/read.ts'
import { notFound, Problem } from '../domain/kernel/errors.ts'
import { labelsFor } from '../languages/labels.ts'
import { contextOf } from '../page/site/context.ts'
import { idIn } from '../web/ids.ts'
import type { ReadAddress, Rendered } from '../web/read-addresses.ts'
import { type Badge, badgeStyles, badgeSvg, badgeText, badgeThemes } from './badge-rules.ts'

type Parameters = Record<string, string>
type Query = Parameters & { style?: string; theme?: string; label?: string; item?: string }

const LONGEST_LABEL = 100
const UNKNOWN_COLOR = '#6b747d'

/** Wrong values are ignored: an image has no place for an error. */
function parameters(query: Record<string, string | string[] | undefined>): Parameters {
  const { style, theme, label, item } = query
  const asked: Parameters = {}
  if (badgeStyles.includes(style as never)) asked.style = String(style)
  if (badgeThemes.includes(theme as never)) asked.theme = String(theme)
  if (typeof label === 'string' && label.length <= LONGEST_LABEL) asked.label = label
  if (typeof item === 'string') asked.item = idIn(item) === undefined ? 'unknown' : item
  return asked
}

const input = ({ item }: Parameters) => (item === undefined || item === 'unknown' ? {} : { item })

const looks = ({ style, theme }: Query): Pick<Badge, 'style' | 'theme'> => ({
  style: style === 'rounded' ? 'rounded' : 'flat',
  theme: theme === 'dark' ? 'dark' : 'light',
})

function badgeOf(view: BadgeView, asked: Query): Badge {
  const { settings } = view
  if (!settings.embed_badge_enabled) throw notFound('badge')
  const { text, look } = contextOf(view, { base: '', path: '/' })
  const label = asked.label ?? (view.item_name || settings.embed_badge_label || text('embed.badge.label'))
  const status = asked.item === 'unknown' ? null : view.status
  if (status === null) return { ...looks(asked), label, message: text('embed.unknown'), color: UNKNOWN_COLOR }
  const { name, color } = look(status)
  return { ...looks(asked), label, message: name, color }
}

/** Whatever fails, a page that shows the badge has an image. A page that readers may not see has none. */
function unknown(error: unknown, asked: Query): Badge | undefined {
  if (error instanceof Problem && ['not_found', 'viewer_auth_required'].includes(error.code)) return undefined
  const { text } = labelsFor('en')
  return {
    ...looks(asked),
    label: asked.label ?? text('embed.badge.label'),
    message: text('embed.unknown'),
    color: UNKNOWN_COLOR,
  }
}

const formats: Record<string, (badge: Badge) => Rendered> = {
  '/badge.svg': (badge) => ({
    body: badgeSvg(badge),
    type: 'image/svg+xml; charset=utf-8',
    headers: { 'Content-Security-Policy': "default-src 'none'; style-src 'none'; sandbox" },
  }),
  '/badge.json': ({ label, message, color }) => ({
    body: JSON.stringify({
      schemaVersion: 1,
      label: badgeText(label),
      message: badgeText(message),
      color: color.replace('#', ''),
    }),
    type: 'application/json; charset=utf-8',
  }),
}

export const badgeAddresses: ReadAddress[] = Object.entries(formats).map(([path, format]) => ({
  path,
  operation: getBadge,
  parameters,
  input,
  render: (view: BadgeView, _place, asked) => format(badgeOf(view, asked)),
  fallback: (error, asked) => {
    const badge = unknown(error, asked)
    return badge && format(badge)
  },
}))
