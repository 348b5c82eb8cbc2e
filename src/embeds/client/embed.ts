// The widget and the launcher on the pages of others. Each is in a closed shadow root with styles of its own, and reads only
// the service that served the script. A failure changes nothing on the page: the last state stays.

interface Entry {
  title: string
  name: string
  color: string
  ink: string
  shape: string
  at: string | null
  url: string
}

interface Part {
  sentence: string
  color: string
  ink: string
  shape: string
  entries: Entry[]
}

interface Launcher extends Part {
  label: string
  display: string
  position: string
  draggable: boolean
  light: { color: string; ink: string }
  dark: { color: string; ink: string }
}

interface State {
  url: string
  language: string
  direction: string
  labels: Record<'open' | 'close' | 'calm' | 'page' | 'move', string>
  widget: (Part & { eyebrow: string; title: string }) | null
  launcher: Launcher | null
}

;(() => {
  const found = document.currentScript ?? document.querySelector('script[src*="/embed.js"]')
  if (!(found instanceof HTMLScriptElement)) return
  const script = found
  const source = new URL(script.src)
  const base = source.origin + source.pathname.replace(/\/embed\.js$/, '')
  // A host may have the script twice, once for each part.
  const mark = Symbol.for(`upbeat ${base}`) as unknown as keyof Document
  if (mark in document) return
  Object.defineProperty(document, mark, { value: true })
  const query = new URLSearchParams()
  for (const name of ['locale', 'access']) {
    const value = source.searchParams.get(name)
    if (value !== null) query.set(name, value)
  }
  const theme = script.dataset.theme

  const css = `:host{all:initial!important;display:block!important}
    .all{--card:#fff;--text:#1a1d21;--soft:#5b6570;--line:#d9dee3;color-scheme:light}
    .all.dark{--card:#1d2126;--text:#eef1f4;--soft:#a9b3bd;--line:#3a424b;color-scheme:dark}
    *{box-sizing:border-box}
    .all{font:400 15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--text)}
    .card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:16px;max-width:420px;text-align:start}
    .eyebrow{margin:0 0 2px;font-size:12px;letter-spacing:.06em;text-transform:uppercase;color:var(--soft)}
    h2{margin:0 0 8px;font-size:16px;font-weight:650;line-height:1.3}
    .state{display:flex;gap:8px;align-items:center;margin:0;font-weight:550}
    svg{flex:none;width:18px;height:18px}
    ul{list-style:none;margin:12px 0 0;padding:0;border-top:1px solid var(--line)}
    li{border-bottom:1px solid var(--line)}
    li a{display:flex;gap:8px;align-items:flex-start;padding:10px 0;color:inherit;text-decoration:none}
    li a:hover b{text-decoration:underline}
    li svg{margin-top:2px}
    b{display:block;font-weight:550;overflow-wrap:anywhere}
    small{font-size:13px;color:var(--soft)}
    .more{display:inline-block;margin-top:12px;font-size:14px;color:inherit}
    .calm{margin:10px 0 0;color:var(--soft)}
    :focus-visible{outline:3px solid #3b82f6;outline-offset:2px;border-radius:6px}
    .launcher{position:fixed;z-index:2147483000;display:flex;flex-direction:column;gap:10px}
    .bottom_right{right:20px;bottom:20px;align-items:flex-end;flex-direction:column-reverse}
    .bottom_left{left:20px;bottom:20px;align-items:flex-start;flex-direction:column-reverse}
    .top_right{right:20px;top:20px;align-items:flex-end}
    .top_left{left:20px;top:20px;align-items:flex-start}
    .button{display:flex;gap:8px;align-items:center;min-height:44px;min-width:44px;max-width:min(340px,calc(100vw - 40px));justify-content:center;padding:10px 16px;border:0;border-radius:999px;background:var(--button);color:var(--ink);font:inherit;font-weight:600;cursor:pointer;box-shadow:0 2px 10px rgb(0 0 0/.22);touch-action:manipulation}
    .button.icon{padding:10px}
    .button.movable{touch-action:none}
    .button span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
    .panel{width:min(360px,calc(100vw - 40px));max-height:min(480px,calc(100vh - 110px));overflow:auto;box-shadow:0 8px 30px rgb(0 0 0/.24)}
    .panel[hidden]{display:none}
    .top{display:flex;gap:8px;justify-content:space-between;align-items:flex-start}
    .close{flex:none;border:0;background:none;color:var(--soft);font:inherit;font-size:20px;line-height:1;padding:2px 6px;cursor:pointer}
    @media (forced-colors:active){.button,.card{border:1px solid}}
    @media print{.launcher{display:none}}`

  /** The body of each shape, and the sign on it, as on the page. */
  const drawings: Record<string, [body: string, sign: string]> = {
    check: ['M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1z', 'M4.9 8.3l2.2 2.2 4-4.6'],
    wrench: [
      'M5 1h6a4 4 0 0 1 4 4v6a4 4 0 0 1-4 4H5a4 4 0 0 1-4-4V5a4 4 0 0 1 4-4z',
      'M5 11l3.4-3.4M11 4.6a2.3 2.3 0 1 0 .6 2.6L9.9 7.3l-.8-1.5z',
    ],
    minus: ['M8 .8 15.2 8 8 15.2.8 8z', 'M5.2 8h5.6'],
    alert: ['M8 1.2 15.3 14.4H.7z', 'M8 6v3.6M8 11.9v.1'],
    cross: ['M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z', 'M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8'],
    dot: ['M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3z', ''],
  }

  function sheet(): CSSStyleSheet {
    const made = new CSSStyleSheet()
    made.replaceSync(css)
    return made
  }

  function node<K extends keyof HTMLElementTagNameMap>(
    name: K,
    attributes: Record<string, string> = {},
    ...children: (Node | string)[]
  ): HTMLElementTagNameMap[K] {
    const made = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
    made.append(...children)
    return made
  }

  function sign({ color, ink, shape }: { color: string; ink: string; shape: string }): SVGElement {
    const draw = (name: string, attributes: Record<string, string>) => {
      const made = document.createElementNS('http://www.w3.org/2000/svg', name)
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
      return made as SVGElement
    }
    const svg = draw('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' })
    const [body, mark] = drawings[shape] ?? drawings.dot!
    svg.append(draw('path', { d: body, fill: color }))
    const line = { fill: 'none', stroke: ink, 'stroke-width': '1.8', 'stroke-linecap': 'round' }
    if (mark !== '') svg.append(draw('path', { ...line, d: mark }))
    return svg
  }

  const link = (href: string, attributes: Record<string, string>, ...children: (Node | string)[]) =>
    node('a', { href, target: '_blank', rel: 'noopener', ...attributes }, ...children)

  function list(entries: Entry[], language: string): Node[] {
    if (entries.length === 0) return []
    const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
    const lines = entries.map((entry) => {
      const facts = [entry.name, entry.at === null ? '' : time.format(new Date(entry.at))].filter(Boolean)
      const text = node('span', {}, node('b', {}, node('bdi', {}, entry.title)), node('small', {}, facts.join(' · ')))
      return node('li', {}, link(entry.url, {}, sign(entry), text))
    })
    return [node('ul', {}, ...lines)]
  }

  /** An element of the page with a closed root, which keeps what is shown until the next state. */
  function place(host: HTMLElement): (state: State, ...children: Node[]) => void {
    const root = host.attachShadow({ mode: 'closed' })
    root.adoptedStyleSheets = [sheet()]
    return ({ language, direction }, ...children) => {
      host.lang = language
      host.dir = direction
      root.replaceChildren(
        node('div', { class: isDark() ? 'all dark' : 'all', lang: language, dir: direction }, ...children),
      )
    }
  }

  const scheme = matchMedia('(prefers-color-scheme: dark)')
  const isDark = () => (theme === 'dark' || theme === 'light' ? theme === 'dark' : scheme.matches)

  const widgets = new Map<HTMLElement, ReturnType<typeof place>>()

  const shown = new Map<HTMLElement, string>()

  function showWidgets(state: State): void {
    const { widget, labels, url } = state
    for (const host of document.querySelectorAll<HTMLElement>('[data-upbeat-widget]')) {
      if (!widgets.has(host) && host.shadowRoot === null && widget) {
        try {
          widgets.set(host, place(host))
        } catch {
          continue
        }
      }
      const show = widgets.get(host)
      const described = JSON.stringify([widget, state.language, isDark()])
      // Readers of the card keep their place and the focus in it.
      if (!show || shown.get(host) === described) continue
      shown.set(host, described)
      if (!widget) {
        show(state)
        continue
      }
      const eyebrow = widget.eyebrow === '' ? [] : [node('p', { class: 'eyebrow', dir: 'auto' }, widget.eyebrow)]
      const body = [
        ...eyebrow,
        node('h2', { dir: 'auto' }, widget.title),
        node('p', { class: 'state', role: 'status' }, sign(widget), node('span', {}, widget.sentence)),
        ...list(widget.entries, state.language),
        link(url, { class: 'more' }, labels.page),
      ]
      show(state, node('section', { class: 'card', 'aria-label': widget.title }, ...body))
    }
  }

  const memory = `upbeat-launcher ${base}`
  const stored = (): [number, number] => {
    try {
      const [x, y] = JSON.parse(localStorage.getItem(memory) ?? '[0,0]')
      return [Number(x) || 0, Number(y) || 0]
    } catch {
      return [0, 0]
    }
  }
  const store = (offset: [number, number]) => {
    try {
      localStorage.setItem(memory, JSON.stringify(offset))
    } catch {}
  }

  let resizing: AbortController | undefined

  /** Lets readers move the button by a pointer, or by the arrow keys with Shift, within the window. */
  function movable(frame: HTMLElement, button: HTMLElement): { wasMoved: () => boolean } {
    let offset = stored()
    let moved = false
    const apply = () => {
      frame.style.translate = '0 0'
      const box = button.getBoundingClientRect()
      const clamp = (value: number, start: number, size: number, room: number) =>
        Math.min(Math.max(value, 8 - start), room - 8 - start - size)
      offset = [clamp(offset[0], box.left, box.width, innerWidth), clamp(offset[1], box.top, box.height, innerHeight)]
      frame.style.translate = `${offset[0]}px ${offset[1]}px`
    }
    button.addEventListener('pointerdown', (down) => {
      moved = false
      const [x, y] = offset
      const follow = (event: PointerEvent) => {
        const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY]
        if (!moved && Math.hypot(dx, dy) < 6) return
        moved = true
        offset = [x + dx, y + dy]
        apply()
      }
      button.setPointerCapture(down.pointerId)
      button.addEventListener('pointermove', follow)
      const end = () => {
        button.removeEventListener('pointermove', follow)
        if (moved) store(offset)
      }
      button.addEventListener('pointerup', end, { once: true })
      button.addEventListener('pointercancel', end, { once: true })
    })
    button.addEventListener('keydown', (event) => {
      moved = false
      const towards = (one: string, other: string) => 16 * (Number(event.key === one) - Number(event.key === other))
      const [dx, dy] = [towards('ArrowRight', 'ArrowLeft'), towards('ArrowDown', 'ArrowUp')]
      if (!event.shiftKey || dx + dy === 0) return
      event.preventDefault()
      offset = [offset[0] + dx, offset[1] + dy]
      apply()
      store(offset)
    })
    requestAnimationFrame(apply)
    resizing?.abort()
    resizing = new AbortController()
    addEventListener('resize', apply, { signal: resizing.signal })
    return {
      wasMoved: () => {
        const was = moved
        moved = false
        return was
      },
    }
  }

  let launcher: { show: ReturnType<typeof place>; host: HTMLElement } | undefined
  let isOpen = false
  let last = ''

  function buttonOf(wanted: Launcher, labels: State['labels']): HTMLButtonElement {
    const { label, sentence, display, draggable } = wanted
    const button = node('button', {
      type: 'button',
      class: `button ${display}${draggable ? ' movable' : ''}`,
      'aria-expanded': String(isOpen),
      'aria-label': label === '' ? sentence : `${label}: ${sentence}`,
      ...(draggable ? { title: labels.move } : {}),
    })
    const colors = isDark() ? wanted.dark : wanted.light
    // On a button in the colour of the status, the sign has the colours of the text.
    if (display !== 'text') button.append(sign({ color: colors.ink, ink: colors.color, shape: wanted.shape }))
    if (display !== 'icon') button.append(node('span', {}, label === '' ? sentence : label))
    button.style.setProperty('--button', colors.color)
    button.style.setProperty('--ink', colors.ink)
    return button
  }

  function panelOf({ labels, language, url }: State, wanted: Launcher) {
    const close = node('button', { type: 'button', class: 'close', 'aria-label': labels.close }, '×')
    const line = node('p', { class: 'state' }, sign(wanted), node('span', {}, wanted.sentence))
    const calm = wanted.entries.length === 0 ? [node('p', { class: 'calm' }, labels.calm)] : []
    const panel = node(
      'div',
      { class: 'card panel', role: 'dialog', 'aria-label': labels.open, ...(isOpen ? {} : { hidden: '' }) },
      node('div', { class: 'top' }, line, close),
      ...list(wanted.entries, language),
      ...calm,
      link(url, { class: 'more' }, labels.page),
    )
    return { panel, close }
  }

  function showLauncher(state: State): void {
    const { launcher: wanted, labels } = state
    const described = JSON.stringify([wanted, state.language, isDark()])
    if (described === last) return
    last = described
    if (!wanted) {
      launcher?.host.remove()
      launcher = undefined
      return
    }
    if (!launcher) {
      const host = node('div')
      document.body.append(host)
      launcher = { host, show: place(host) }
    }
    const hadFocus = document.activeElement === launcher.host
    const button = buttonOf(wanted, labels)
    const { panel, close } = panelOf(state, wanted)
    const frame = node('div', { class: `launcher ${wanted.position}` }, button, panel)
    const move = wanted.draggable ? movable(frame, button) : undefined
    const toggle = (open: boolean) => {
      isOpen = open
      panel.hidden = !open
      button.setAttribute('aria-expanded', String(open))
      if (open) close.focus()
      else button.focus()
    }
    button.addEventListener('click', () => {
      if (!move?.wasMoved()) toggle(!isOpen)
    })
    close.addEventListener('click', () => toggle(false))
    panel.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') toggle(false)
    })
    launcher.show(state, frame)
    if (hadFocus) button.focus()
  }

  let state: State | undefined
  let failures = 0

  function show(): void {
    if (!state) return
    showWidgets(state)
    showLauncher(state)
  }

  async function read(): Promise<void> {
    try {
      const answer = await fetch(`${base}/embed.json?${query}`, { credentials: 'omit' })
      if (!answer.ok) throw new Error(String(answer.status))
      state = (await answer.json()) as State
      failures = 0
      show()
    } catch {
      failures += 1
    }
    const pause = Math.min(60_000 * 2 ** failures, 900_000)
    setTimeout(next, pause * (0.9 + Math.random() / 5))
  }

  /** A page in the background waits until it is looked at. */
  function next(): void {
    if (document.visibilityState === 'visible') void read()
    else document.addEventListener('visibilitychange', next, { once: true })
  }

  scheme.addEventListener('change', show)
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => void read())
  else void read()
})()
