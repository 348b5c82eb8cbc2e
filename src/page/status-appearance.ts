import type { SiteView } from '../domain/pages/views/site.ts'
import { contrast } from '../domain/settings/color-rules.ts'
import { type Shape, shapeNamed } from '../domain/vocabulary/rules.ts'
import { type Labels, labelsFor } from '../languages/labels.ts'

/** The look of a status: never only a colour, and never coloured text, because pages define the colours. */
export interface StatusAppearance {
  name: string
  shape: Shape
  className: string
  color: string
  /** The colour of the sign, visible on the colour. */
  ink: string
  calm: boolean
}

type StatusType = SiteView['status_types'][number]

const UNKNOWN_COLOR = '#868e96'

/** Colours that differ for people with any kind of colour blindness, by the shape of the status. */
const accessibleColors: Record<Shape, string> = {
  check: '#009e73',
  wrench: '#0072b2',
  minus: '#e6c600',
  alert: '#e69f00',
  cross: '#b3420a',
  dot: UNKNOWN_COLOR,
}

export function statusAppearances(types: StatusType[], { accessible = false } = {}): StatusAppearance[] {
  const troubles = types.filter((type) => !type.is_operational).sort((a, b) => a.display_order - b.display_order)
  return types.map((type, index) => {
    const own = /^#[0-9a-f]{6}$/i.test(type.color) ? type.color : UNKNOWN_COLOR
    const shape = shapeOf(type, troubles)
    const color = accessible ? accessibleColors[shape] : own
    return { name: type.name, shape, className: `s${index}`, color, ink: inkOn(color), calm: type.is_operational }
  })
}

/** The status types whose look other statuses share. */
const likenesses: Record<string, string> = {
  resolved: 'operational',
  completed: 'operational',
  scheduled: 'maintenance',
  in_progress: 'maintenance',
}

interface Options {
  labels?: Labels
  accessible?: boolean
}

/** Finds the look of a status key of an item, an incident or a maintenance. */
export function appearanceFinder(
  types: StatusType[],
  { labels = labelsFor('en'), accessible = false }: Options = {},
): (status: string) => StatusAppearance {
  const looks = statusAppearances(types, { accessible })
  const byKey = new Map(types.map((type, index) => [type.key, looks[index]!]))
  const operational = looks.find((look) => look.calm)
  return (status) => {
    const known = byKey.get(status)
    if (known) return known
    const label = `status.${status}`
    const name = labels.has(label) ? labels.text(label) : inWords(status)
    const likeness = likenesses[status]
    const alike = likeness === 'operational' ? operational : byKey.get(likeness ?? '')
    if (alike) return { ...alike, name }
    return { name, shape: 'dot', className: 'sx', color: UNKNOWN_COLOR, ink: inkOn(UNKNOWN_COLOR), calm: false }
  }
}

const inWords = (key: string) => key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ')

function shapeOf(type: StatusType, troubles: StatusType[]): Shape {
  const named = shapeNamed(type.icon)
  if (named) return named
  if (type.is_operational) return 'check'
  const rank = troubles.indexOf(type)
  if (rank === troubles.length - 1) return 'cross'
  return rank === 0 ? 'minus' : 'alert'
}

/** White if its contrast to the colour is at least 3:1 (WCAG for symbols), else nearly black. */
export const inkOn = (color: string): string => (contrast('#ffffff', color) >= 3 ? '#fff' : '#16191d')
