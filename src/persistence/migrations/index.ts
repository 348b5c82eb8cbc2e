import { Foundation } from './0001-foundation.ts'
import { SettingsAndPresets } from './0002-settings-and-presets.ts'
import { LocalizedVariants } from './0003-localized-variants.ts'
import { IncidentReports } from './0004-incident-reports.ts'
import { Maintenances } from './0005-maintenances.ts'
import { ToldPast } from './0006-told-past.ts'
import { PreviousLifecycleStages } from './0007-previous-lifecycle-stages.ts'
import { MaintenanceSeries } from './0008-maintenance-series.ts'
import { Beats } from './0009-beats.ts'
import { EndedImpacts } from './0012-ended-impacts.ts'
import { FormerSlugsSearchExample } from './0013-former-slugs-search-example.ts'
import { ApiPulses } from './0014-api-pulses.ts'
import { TimersOfProcesses } from './0016-timers-of-processes.ts'
import { CountedStages } from './0017-counted-stages.ts'
import { Ingest } from './0018-ingest.ts'
import { Agent } from './0019-agent.ts'
import { Subscribers } from './0020-subscribers.ts'
import { Deliveries } from './0021-deliveries.ts'
import { PageAccess } from './0022-page-access.ts'
import { WeightChanges } from './0023-weight-changes.ts'
import { Views } from './0025-views.ts'
import { Feeds } from './0026-feeds.ts'

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
  { name: '0012-ended-impacts', class: EndedImpacts },
  { name: '0013-former-slugs-search-example', class: FormerSlugsSearchExample },
  { name: '0014-api-pulses', class: ApiPulses },
  { name: '0016-timers-of-processes', class: TimersOfProcesses },
  { name: '0017-counted-stages', class: CountedStages },
  { name: '0018-ingest', class: Ingest },
  { name: '0019-agent', class: Agent },
  { name: '0020-subscribers', class: Subscribers },
  { name: '0021-deliveries', class: Deliveries },
  { name: '0022-page-access', class: PageAccess },
  { name: '0023-weight-changes', class: WeightChanges },
  { name: '0025-views', class: Views },
  { name: '0026-feeds', class: Feeds },
]
