import { Foundation } from './0001-foundation.ts'
import { SettingsAndPresets } from './0002-settings-and-presets.ts'
import { LocalizedVariants } from './0003-localized-variants.ts'
import { IncidentReports } from './0004-incident-reports.ts'

/** In the order in which they run. A migration that has been released never changes. */
export const migrations = [
  { name: '0001-foundation', class: Foundation },
  { name: '0002-settings-and-presets', class: SettingsAndPresets },
  { name: '0003-localized-variants', class: LocalizedVariants },
  { name: '0004-incident-reports', class: IncidentReports },
]
