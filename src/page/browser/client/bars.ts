/** The bars of days: a strip is one stop of the tab key, and the arrow keys read each day. */
export {}

type PackedDay = [number, number | null, Record<string, number>, number[], number[]]
type Kind = 'incidents' | 'maintenances'

interface Days extends Record<Kind, Record<string, string>> {
  dates: string[]
  statuses: Record<string, string>
  paths: Record<Kind, string>
}

interface Labels {
  language: string
  dates: string
  texts: Record<string, string>
}

const json = <T>(id: string) => JSON.parse(document.getElementById(id)?.textContent ?? 'null') as T | null
const labels = json<Labels>('labels-data')
let data = json<Days>('days-data')
const text = (key: string, value = '') => (labels?.texts[key] ?? '').replace(/\{\w+\}/, value)
const isRightToLeft = document.documentElement.dir === 'rtl'

const dayFormat = new Intl.DateTimeFormat(labels?.dates, { dateStyle: 'long', timeZone: 'UTC' })
const percentFormat = new Intl.NumberFormat(labels?.language, { style: 'percent', maximumFractionDigits: 4 })

function durationOf(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const unit = (count: number, name: string) =>
    new Intl.NumberFormat(labels?.language, { style: 'unit', unit: name, unitDisplay: 'long' }).format(count)
  if (hours === 0 && minutes === 0) return unit(seconds, 'second')
  return [hours > 0 && unit(hours, 'hour'), minutes > 0 && unit(minutes, 'minute')].filter(Boolean).join(' ')
}

interface Day {
  date: string
  lines: string[]
  links: { href: string; title: string }[]
}

/** Before the day `began` there is no data. */
function dayAt(index: number, packed: PackedDay[], began: number): Day {
  const date = dayFormat.format(new Date(`${data!.dates[index]}T00:00:00Z`))
  if (index < began) return { date, lines: [text('page.day.no_data')], links: [] }
  const day = packed.find(([at]) => at === index)
  if (!day) return { date, lines: [text('page.day.operational')], links: [] }
  const [, percent, seconds, incidents, maintenances] = day
  const times = Object.entries(seconds)
  if (times.length === 0) return { date, lines: [text('page.day.no_data')], links: [] }
  const lines = times.map(([status, seconds]) => `${data!.statuses[status] ?? status}: ${durationOf(seconds)}`)
  if (percent !== null) lines.push(text('page.day.uptime', percentFormat.format(percent / 100)))
  const links = (kind: Kind, ids: number[]) =>
    ids.map((id) => ({ href: data!.paths[kind].replace('/0', `/${id}`), title: data![kind][id] ?? `${id}` }))
  return { date, lines, links: [...links('incidents', incidents), ...links('maintenances', maintenances)] }
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  words = '',
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  made.className = className
  made.textContent = words
  return made
}

/** Makes a strip readable day by day. */
function open(svg: SVGSVGElement): void {
  if (!data || svg.parentElement?.classList.contains('strip')) return
  const packed = JSON.parse(svg.dataset.days ?? '[]') as PackedDay[]
  const began = Number(svg.dataset.began ?? 0)
  const count = data.dates.length
  const holder = svg.closest<HTMLElement>('.bars')!
  const strip = element('div', 'strip')
  svg.before(strip)
  strip.append(svg)
  const name = svg.getAttribute('aria-label') ?? ''
  svg.setAttribute('aria-hidden', 'true')
  const set = (attributes: Record<string, string>) => {
    for (const [key, value] of Object.entries(attributes)) strip.setAttribute(key, value)
  }
  set({
    role: 'slider',
    tabindex: '0',
    'aria-label': `${name}. ${text('page.bars.hint')}`,
    'aria-orientation': 'horizontal',
  })
  set({ 'aria-valuemin': '1', 'aria-valuemax': String(count) })
  let current = count - 1
  let closing: ReturnType<typeof setTimeout> | undefined

  function choose(index: number): Day {
    current = Math.max(0, Math.min(count - 1, index))
    const day = dayAt(current, packed, began)
    const words = [day.date, ...day.lines, ...day.links.map(({ title }) => title)].join('. ')
    set({ 'aria-valuenow': String(current + 1), 'aria-valuetext': words })
    return day
  }

  function show(index: number): void {
    clearTimeout(closing)
    const day = choose(index)
    hide()
    const card = element('div', 'card day')
    card.append(element('b', '', day.date), ...day.lines.map((line) => element('div', '', line)))
    for (const { href, title } of day.links) {
      const link = element('a', '', title)
      link.href = href
      const row = element('div', '')
      row.append(link)
      card.append(row)
    }
    const point = element('div', 'point')
    const width = strip.clientWidth / count
    const from = (isRightToLeft ? count - 1 - current : current) * width
    point.style.left = `${from}px`
    point.style.width = `${Math.max(width, 6)}px`
    holder.append(card, point)
    const left = Math.max(0, Math.min(from - card.offsetWidth / 2, holder.clientWidth - card.offsetWidth))
    card.style.left = `${left}px`
    card.style.right = 'auto'
    card.addEventListener('pointerenter', () => clearTimeout(closing))
    card.addEventListener('pointerleave', hideSoon)
  }

  function hide(): void {
    for (const one of holder.querySelectorAll('.day,.point')) one.remove()
  }

  function hideSoon(): void {
    clearTimeout(closing)
    closing = setTimeout(hide, 250)
  }

  const steps: Record<string, number> = {
    ...{ ArrowLeft: isRightToLeft ? 1 : -1, ArrowRight: isRightToLeft ? -1 : 1 },
    ...{ ArrowDown: -1, ArrowUp: 1, PageDown: -7, PageUp: 7, Home: -count, End: count },
  }
  strip.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return hide()
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    show(current + step)
  })
  strip.addEventListener('focus', () => strip.matches(':focus-visible') && show(current))
  strip.addEventListener('blur', hideSoon)
  strip.addEventListener('pointermove', ({ clientX }) => {
    const { left, width } = strip.getBoundingClientRect()
    const index = Math.floor(((clientX - left) / width) * count)
    show(isRightToLeft ? count - 1 - index : index)
  })
  strip.addEventListener('pointerleave', hideSoon)
  choose(current)
}

function openAll(): void {
  data = json<Days>('days-data')
  for (const svg of document.querySelectorAll<SVGSVGElement>('.bars svg')) open(svg)
}

openAll()
document.addEventListener('page:changed', openAll)
