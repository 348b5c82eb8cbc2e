import { stateOf } from '../../domain/pages/summary/state-rules.ts'
import type { PageView } from '../../domain/pages/views/home.ts'
import { MAINTENANCE } from '../../domain/vocabulary/rules.ts'
import { hasAccessibleColors } from '../site/context.ts'
import { PREVIEW_SIZE } from '../site/link-preview.ts'
import { appearanceFinder } from '../status-appearance.ts'
import { iconFigures, roundedBox } from './figures.ts'
import type { Layer, Picture } from './png.ts'

/** The picture of a page for previews of links: its state as an icon, and its last days as bars. */

const paper = {
  light: { background: '#f5f6f8', card: '#ffffff', line: '#dfe3e8' },
  dark: { background: '#111417', card: '#1a1e23', line: '#2d333a' },
}

/** The bars are in a card. */
const CARD = { left: 70, right: 1130, top: 384, bottom: 560, radius: 22 }
const BARS = { left: 110, right: 1090, top: 420, bottom: 524 }
const ICON = 230
const STRIPE = 16

type Paper = (typeof paper)['light']
type Look = ReturnType<typeof appearanceFinder>

export function previewOf(page: PageView): Picture {
  const { settings, status_types: types, history } = page
  const look = appearanceFinder(types, { accessible: hasAccessibleColors(page) })
  const colors = paper[settings.public_theme_profile.color_scheme === 'dark' ? 'dark' : 'light']
  const { color, ink, shape } = look(stateOf(page).status)
  const top = history ? (CARD.top + STRIPE - ICON) / 2 : (PREVIEW_SIZE.height + STRIPE - ICON) / 2
  const icon = iconFigures(shape, [(PREVIEW_SIZE.width - ICON) / 2, top], ICON)
  return {
    ...PREVIEW_SIZE,
    background: colors.background,
    layers: [
      { figure: roundedBox([0, 0], [PREVIEW_SIZE.width, STRIPE], 0), color },
      { figure: icon.body, color },
      ...icon.sign.map((figure) => ({ figure, color: ink })),
      ...(history ? [...cardOf(colors), ...barsOf(worstOfDays(history, types), { colors, look })] : []),
    ],
  }
}

function cardOf({ card, line }: Paper): Layer[] {
  const { left, right, top, bottom, radius } = CARD
  return [
    { figure: roundedBox([left, top], [right, bottom], radius), color: line },
    { figure: roundedBox([left + 2, top + 2], [right - 2, bottom - 2], radius - 2), color: card },
  ]
}

/** As on the page, a lower bar is maintenance, and the lowest is a day without data. */
const MAINTENANCE_HEIGHT = 0.67
const NO_DATA_HEIGHT = 0.27

function barsOf(days: (string | null)[], { colors, look }: { colors: Paper; look: Look }): Layer[] {
  const step = (BARS.right - BARS.left) / days.length
  const width = Math.min(step * 0.72, 40)
  return days.map((status, index) => {
    const part = status === null ? NO_DATA_HEIGHT : status === MAINTENANCE ? MAINTENANCE_HEIGHT : 1
    const left = BARS.left + index * step + (step - width) / 2
    const top = BARS.bottom - (BARS.bottom - BARS.top) * part
    const figure = roundedBox([left, top], [left + width, BARS.bottom], Math.min(3, width / 2))
    return { figure, color: status === null ? colors.line : look(status).color }
  })
}

/** The worst status of all items on each day; null for a day without data. */
export function worstOfDays(
  { items }: { items: { days: { status: string | null }[] }[] },
  types: { key: string; display_order: number }[],
): (string | null)[] {
  const severity = new Map(types.map(({ key, display_order }) => [key, display_order]))
  const severityOf = (status: string | null) => (status === null ? -2 : (severity.get(status) ?? -1))
  const worse = (one: string | null, other: string | null) => (severityOf(other) > severityOf(one) ? other : one)
  const [first] = items
  return (first?.days ?? []).map((_, day) => items.map(({ days }) => days[day]?.status ?? null).reduce(worse))
}
