/** What the service answers at `/embed.json`. */

export interface Entry {
  title: string
  name: string
  color: string
  ink: string
  shape: string
  at: string | null
  url: string
}

export interface Part {
  sentence: string
  color: string
  ink: string
  shape: string
  entries: Entry[]
}

export interface Launcher extends Part {
  label: string
  display: string
  position: string
  draggable: boolean
  light: { color: string; ink: string }
  dark: { color: string; ink: string }
}

export interface State {
  url: string
  language: string
  direction: string
  labels: Record<'open' | 'close' | 'calm' | 'page' | 'move', string>
  widget: (Part & { eyebrow: string; title: string }) | null
  launcher: Launcher | null
}
