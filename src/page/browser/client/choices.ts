/** The choices of the reader: light or dark colours, and the time zone of the times. */
export {}

interface Labels {
  dates: string
  texts: Record<string, string>
}

const root = document.documentElement
const { dates, texts } = JSON.parse(document.getElementById('labels-data')?.textContent ?? '{"texts":{}}') as Labels

const themes = ['auto', 'light', 'dark'] as const
type Theme = (typeof themes)[number]
const fixed = (root.dataset.theme ?? 'auto') as Theme
const remembered = (name: string) => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}
const remember = (name: string, value: string) => {
  try {
    localStorage.setItem(name, value)
  } catch {
    // The choice lasts as long as the page.
  }
}

const toggle = document.querySelector<HTMLButtonElement>('[data-theme-toggle]')
if (toggle) {
  const stored = remembered('theme') as Theme | null
  let theme: Theme = stored !== null && themes.includes(stored) ? stored : fixed
  const show = () => {
    if (theme === 'auto') delete root.dataset.theme
    else root.dataset.theme = theme
    const label = texts[`page.theme.${theme}`] ?? ''
    toggle.setAttribute('aria-label', label)
    toggle.title = label
  }
  toggle.hidden = false
  toggle.addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length]!
    remember('theme', theme)
    show()
  })
  show()
}

const place = document.querySelector<HTMLElement>('[data-zone]')
const button = document.querySelector<HTMLButtonElement>('[data-zone-toggle]')
const own = Intl.DateTimeFormat().resolvedOptions().timeZone

const yearIn = (zone: string, moment: Date) =>
  new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: zone }).format(moment)

/** Shows all times in a zone: as the page has them, with the year if it is not the current year. */
function showTimes(zone: string): void {
  const shape = { day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const
  const short = new Intl.DateTimeFormat(dates, { ...shape, timeZone: zone })
  const whole = new Intl.DateTimeFormat(dates, { ...shape, year: 'numeric', timeZone: zone })
  const thisYear = yearIn(zone, new Date())
  const inWords = (element: HTMLTimeElement) => {
    const moment = new Date(element.dateTime)
    const isShort = yearIn(zone, moment) === thisYear && !element.closest('[data-updated]')
    return (isShort ? short : whole).format(moment)
  }
  for (const element of document.querySelectorAll<HTMLTimeElement>('time[datetime]')) {
    element.dataset.text ??= element.textContent ?? ''
    element.textContent = zone === pageZone ? element.dataset.text : inWords(element)
  }
  for (const name of document.querySelectorAll('[data-zone-name]'))
    name.textContent = (texts['page.zone'] ?? '').replace('{zone}', zone)
}

const pageZone = place?.dataset.zone ?? 'UTC'
let zone = remembered('zone') === 'own' ? own : pageZone

function showZone(): void {
  if (!button) return
  const isOwn = zone !== pageZone
  button.textContent = (texts[isOwn ? 'page.zone.page' : 'page.zone.own'] ?? '').replace(
    '{zone}',
    isOwn ? pageZone : own,
  )
  showTimes(zone)
}

if (button && own && own !== pageZone) {
  button.hidden = false
  button.addEventListener('click', () => {
    zone = zone === pageZone ? own : pageZone
    remember('zone', zone === pageZone ? 'page' : 'own')
    showZone()
  })
  showZone()
  document.addEventListener('page:changed', () => showTimes(zone))
}
