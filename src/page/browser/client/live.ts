/** Keeps the page current: reads the page again after each change, and replaces the parts that differ. */
export {}

const REFRESH_MS = 60_000
/** After an answer that may be outdated, because the database of the service is away or slow. */
const OUTDATED_MS = 10_000
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

/** A line says that the newest state cannot be read: the service shows it while its database is away. */
const staleLineOf = (of: Document) => of.querySelector<HTMLElement>('[data-stale]')
const isStale = (of: Document) => staleLineOf(of)?.hidden === false
let isServedStale = isStale(document)

function showStaleLine(isShown: boolean): void {
  const line = staleLineOf(document)
  if (line) line.hidden = !isShown
}

let etag: string | null = null
let isReading = false

async function readAgain(): Promise<void> {
  const headers: HeadersInit = etag ? { 'If-None-Match': etag } : {}
  const answer = await fetch(location.href, { headers, cache: 'no-store' })
  if (answer.headers.has('X-Snapshot-At')) setTimeout(refresh, OUTDATED_MS)
  if (answer.status >= 500) throw new Error(`The answer is ${answer.status}.`)
  showStaleLine(isServedStale)
  if (answer.status !== 200) return
  etag = answer.headers.get('ETag')
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
  show(next)
}

function show(next: Document): void {
  const before = document.querySelector('[data-part=status]')?.textContent
  const isChanged = replaceParts(next)
  isServedStale = isStale(next)
  for (const name of ['#days-data', '[data-updated]', '.who', '[data-stale]']) {
    const [old, fresh] = [document.querySelector(name), next.querySelector(name)]
    if (old && fresh && old.outerHTML !== fresh.outerHTML) old.replaceWith(fresh)
  }
  const icon = next.querySelector('link[rel=icon]')
  if (icon) document.querySelector('link[rel=icon]')?.replaceWith(icon)
  if (document.title !== next.title) document.title = next.title
  if (!isChanged) return
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

/** Whether a part differs from what was served before. */
function replaceParts(next: Document): boolean {
  if (shapeOf(next) !== shapeOf(document)) return replaceWhole(next)
  const changed = partsOf(next).filter((part) => served.get(part.dataset.part ?? '') !== part.outerHTML)
  for (const part of changed) replacePart(part)
  return changed.length > 0
}

function replacePart(fresh: HTMLElement): void {
  const name = fresh.dataset.part ?? ''
  served.set(name, fresh.outerHTML)
  const old = document.querySelector(`[data-part="${name}"]`)
  if (!old) return
  keepState(old, fresh)
  swap(old, fresh)
}

function replaceWhole(next: Document): boolean {
  const old = document.getElementById('main')
  const fresh = next.getElementById('main')
  if (!old || !fresh) return false
  remember(next)
  keepState(old, fresh)
  swap(old, fresh)
  return true
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
    .catch(() => showStaleLine(true))
    .finally(() => {
      isReading = false
    })
}

const refreshSoon = () => setTimeout(refresh, Math.random() * SPREAD_MS)

remember(document)
const { stream } = document.body.dataset

function listen(address: string, notifyOthers: () => void): void {
  const source = new EventSource(address)
  source.addEventListener('change', () => {
    refreshSoon()
    notifyOthers()
  })
}

/** One stream serves all tabs of a browser: it opens few connections to a server, which many streams would use up. */
function shareStream(address: string, locks: LockManager): void {
  const { pathname: name } = new URL(address, location.href)
  const others = new BroadcastChannel(name)
  others.addEventListener('message', refreshSoon)
  let hasStream = false
  void locks.request(name, () => {
    hasStream = true
    listen(address, () => others.postMessage('change'))
    // Kept until the tab is closed. Then another tab opens the stream.
    return new Promise(() => {})
  })
  // The stream of another tab does not say that this page changed before it was shown.
  setTimeout(() => {
    if (!hasStream) refreshSoon()
  }, SPREAD_MS)
}

if (stream && 'EventSource' in window) {
  // Absent where the page is served without TLS.
  const { locks } = navigator as { locks?: LockManager }
  if (locks && 'BroadcastChannel' in window) shareStream(stream, locks)
  else listen(stream, () => {})
}
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) refreshSoon()
})
/** A computer that slept, or a reader who was elsewhere. */
addEventListener('online', refreshSoon)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') refreshSoon()
})
/** The stream says nothing about what is far from the front page, nor that the database is away. */
setInterval(() => {
  if (document.visibilityState === 'visible') refresh()
}, REFRESH_MS)
