import { Foundation } from './0001-foundation.ts'
import { SettingsAndPresets } from './0002-settings-and-presets.ts'

/** In the order in which they run. A migration that has been released never changes. */
export const migrations = [
  { name: '0001-foundation', class: Foundation },
  { name: '0002-settings-and-presets', class: SettingsAndPresets },
]
