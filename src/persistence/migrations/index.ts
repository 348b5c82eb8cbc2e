import { Foundation } from './0001-foundation.ts'
import { SettingsAndPresets } from './0002-settings-and-presets.ts'
import { LocalizedVariants } from './0003-localized-variants.ts'
import { IncidentReports } from './0004-incident-reports.ts'
import { Maintenances } from './0005-maintenances.ts'
import { ToldPast } from './0006-told-past.ts'
import { PreviousLifecycleStages } from './0007-previous-lifecycle-stages.ts'
import { MaintenanceSeries } from './0008-maintenance-series.ts'
import { Beats } from './0009-beats.ts'

/** In the order in which they run. A migration that has been released never changes. */
export const migrations = [
  { name: '0001-foundation', class: Foundation },
  { name: '0002-settings-and-presets', class: SettingsAndPresets },
  { name: '0003-localized-variants', class: LocalizedVariants },
  { name: '0004-incident-reports', class: IncidentReports },
  { name: '0005-maintenances', class: Maintenances },
  { name: '0006-told-past', class: ToldPast },
  { name: '0007-previous-lifecycle-stages', class: PreviousLifecycleStages },
  { name: '0008-maintenance-series', class: MaintenanceSeries },
  { name: '0009-beats', class: Beats },
]
