import { link, list, node, sign } from './elements.ts'
import { base, isDark, place } from './host.ts'
import { movable } from './moving.ts'
import type { Launcher, State } from './state.ts'

let launcher: { show: ReturnType<typeof place>; host: HTMLElement } | undefined
let isOpen = false
let lastLauncher = ''

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

export function showLauncher(state: State): void {
  const { launcher: wanted, labels } = state
  const described = JSON.stringify([wanted, state.language, isDark()])
  if (described === lastLauncher) return
  lastLauncher = described
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
  const move = wanted.draggable ? movable(frame, button, `upbeat-launcher ${base}`) : undefined
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
