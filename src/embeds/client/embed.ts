import { base, isFirst, keptParameters, scheme, script } from './host.ts'
import { showLauncher } from './launcher.ts'
import type { State } from './state.ts'
import { showWidgets } from './widget.ts'

// The widget and the launcher on the pages of others. Each is in a closed shadow root with styles of its own, and reads only
// the service that served the script. A failure changes nothing on the page: the last state stays.

let state: State | undefined
let failures = 0

function show(): void {
  if (!state) return
  showWidgets(state)
  showLauncher(state)
}

async function read(): Promise<void> {
  try {
    const answer = await fetch(`${base}/embed.json?${keptParameters()}`, { credentials: 'omit' })
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

if (script && isFirst()) {
  scheme.addEventListener('change', show)
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => void read())
  else void read()
}
