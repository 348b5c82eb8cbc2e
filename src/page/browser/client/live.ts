/** Keeps the page current: reads the page again after each change, and replaces the parts that differ. */
export {}

const REFRESH_MS = 60_000
/** Readers of a page in an outage come at the same moment; each waits a little of its own. */
const SPREAD_MS = 1500

const labels = JSON.parse(document.getElementById('labels-data')?.textContent ?? '{}') as {
  texts?: Record<string, string>
}
const announcer = document.querySelector<HTMLElement>('[data-announce]')

const partsOf = (of: Document) => [...of.querySelectorAll<HTMLElement>('[data-part]')]
const shapeOf = (of: Document) =>
  partsOf(of)
    .map((part) => part.dataset.part)
    .join(' ')

/** What is inside a part, without what the reader or a script changed. */
const served = new Map<string, string>()
const remember = (of: Document) => {
  served.clear()
  for (const part of partsOf(of)) served.set(part.dataset.part ?? '', part.outerHTML)
}

let etag: string | null = null
let isReading = false

async function readAgain(): Promise<void> {
  const headers: HeadersInit = etag ? { 'If-None-Match': etag } : {}
  const answer = await fetch(location.href, { headers, cache: 'no-store' })
  if (answer.status !== 200) return
  etag = answer.headers.get('ETag')
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
  show(next)
}

function show(next: Document): void {
  const before = document.querySelector('[data-part=status]')?.textContent
  if (shapeOf(next) !== shapeOf(document)) replaceWhole(next)
  else for (const part of partsOf(next)) replacePart(part)
  for (const name of ['#days-data', '[data-updated]']) {
    const fresh = next.querySelector(name)
    if (fresh) document.querySelector(name)?.replaceWith(fresh)
  }
  const icon = next.querySelector('link[rel=icon]')
  if (icon) document.querySelector('link[rel=icon]')?.replaceWith(icon)
  if (document.title !== next.title) document.title = next.title
  document.dispatchEvent(new Event('page:changed'))
  const status = document.querySelector('[data-part=status]')?.textContent
  if (announcer && status)
    announcer.textContent = status === before ? (labels.texts?.['page.live.changed'] ?? '') : status
}

/** Keeps what the reader unfolded, and the place of the keyboard. */
function keepState(old: Element, fresh: Element): void {
  const open = new Map([...old.querySelectorAll('details')].map((one) => [keyOf(one), one.open]))
  for (const one of fresh.querySelectorAll('details')) one.open = open.get(keyOf(one)) ?? one.open
  if (old instanceof HTMLDetailsElement && fresh instanceof HTMLDetailsElement) fresh.open = old.open
}

const keyOf = (one: Element) =>
  `${one.closest('[id]')?.id ?? ''} ${one.querySelector('summary')?.textContent?.replace(/\d+/g, '') ?? ''}`

function replacePart(fresh: HTMLElement): void {
  const name = fresh.dataset.part ?? ''
  if (served.get(name) === fresh.outerHTML) return
  served.set(name, fresh.outerHTML)
  const old = document.querySelector(`[data-part="${name}"]`)
  if (!old) return
  keepState(old, fresh)
  swap(old, fresh)
}

function replaceWhole(next: Document): void {
  const old = document.getElementById('main')
  const fresh = next.getElementById('main')
  if (!old || !fresh) return
  remember(next)
  keepState(old, fresh)
  swap(old, fresh)
}

/** The reader keeps the place on the screen and the focus. */
function swap(old: Element, fresh: Element): void {
  const focused = document.activeElement
  const path = focused && old.contains(focused) ? pathTo(old, focused) : undefined
  old.replaceWith(fresh)
  if (path) (elementAt(fresh, path) as HTMLElement | undefined)?.focus({ preventScroll: true })
}

function pathTo(root: Element, element: Element): number[] {
  const path: number[] = []
  for (let at = element; at !== root && at.parentElement; at = at.parentElement)
    path.unshift([...at.parentElement.children].indexOf(at))
  return path
}

const elementAt = (root: Element, path: number[]): Element | undefined =>
  path.reduce<Element | undefined>((at, index) => at?.children[index], root)

function refresh(): void {
  if (isReading) return
  isReading = true
  readAgain()
    .catch(() => {})
    .finally(() => {
      isReading = false
    })
}

const refreshSoon = () => setTimeout(refresh, Math.random() * SPREAD_MS)

remember(document)
const { stream } = document.body.dataset
let isConnected = false
if (stream && 'EventSource' in window) {
  const source = new EventSource(stream)
  source.addEventListener('open', () => {
    isConnected = true
  })
  source.addEventListener('change', refreshSoon)
  source.addEventListener('error', () => {
    isConnected = false
  })
}
/** Without a stream, the page is read again from time to time. */
setInterval(() => {
  if (!isConnected && document.visibilityState === 'visible') refresh()
}, REFRESH_MS)
