import { AccessLink } from './access-link.ts'
import { ActionPlan } from './action-plan.ts'
import { ApiPulse } from './api-pulse.ts'
import { ApiToken } from './api-token.ts'
import { AuditEvent } from './audit-event.ts'
import { Banner } from './banner.ts'
import { Beat } from './beat.ts'
import { BeatAction } from './beat-action.ts'
import { BeatAssignment } from './beat-assignment.ts'
import { BeatChange } from './beat-change.ts'
import { BeatComponent } from './beat-component.ts'
import { BeatFingerprint } from './beat-fingerprint.ts'
import { BeatGroup } from './beat-group.ts'
import { BeatResult } from './beat-result.ts'
import { BeatRollup } from './beat-rollup.ts'
import { BeatTransition } from './beat-transition.ts'
import { CheckRequest } from './check-request.ts'
import { CheckShard } from './check-shard.ts'
import { CssPreview } from './css-preview.ts'
import { CustomView } from './custom-view.ts'
import { DelegationTurn } from './delegation-turn.ts'
import { Delivery } from './delivery.ts'
import { EventEvaluation } from './event-evaluation.ts'
import { EventTrigger } from './event-trigger.ts'
import { ExampleRecord } from './example-record.ts'
import { Feed } from './feed.ts'
import { FeedReader } from './feed-reader.ts'
import { FormerPageSlug } from './former-page-slug.ts'
import { Heartbeat } from './heartbeat.ts'
import { HierarchyItem } from './hierarchy-item.ts'
import { HierarchyLevel } from './hierarchy-level.ts'
import { IdempotencyRecord } from './idempotency-record.ts'
import { Incident } from './incident.ts'
import { IncidentImpact } from './incident-impact.ts'
import { IncidentReport } from './incident-report.ts'
import { IncidentUpdate } from './incident-update.ts'
import { IngestCount } from './ingest-count.ts'
import { IngestEndpoint } from './ingest-endpoint.ts'
import { IngestEvent } from './ingest-event.ts'
import { IngestToken } from './ingest-token.ts'
import { Installation } from './installation.ts'
import { LifecycleStage } from './lifecycle-stage.ts'
import { LocalizedVariant } from './localized-variant.ts'
import { Maintenance } from './maintenance.ts'
import { MaintenanceItem } from './maintenance-item.ts'
import { MaintenanceOccurrence } from './maintenance-occurrence.ts'
import { MaintenanceSeries } from './maintenance-series.ts'
import { MaintenanceSeriesItem } from './maintenance-series-item.ts'
import { MaintenanceUpdate } from './maintenance-update.ts'
import { ManagedDomain } from './managed-domain.ts'
import { NotificationEvent } from './notification-event.ts'
import { Organization } from './organization.ts'
import { Page } from './page.ts'
import { PageSettings } from './page-settings.ts'
import { Preset } from './preset.ts'
import { Process } from './process.ts'
import { ProcessNote } from './process-note.ts'
import { ProcessRequest } from './process-request.ts'
import { RemovedStatusEvent } from './removed-status-event.ts'
import { Secret } from './secret.ts'
import { SharedRead } from './shared-read.ts'
import { StatusEvent } from './status-event.ts'
import { StatusType } from './status-type.ts'
import { Subscriber } from './subscriber.ts'
import { Subscription } from './subscription.ts'
import { ViewAccessRequest } from './view-access-request.ts'
import { ViewAliasBlock } from './view-alias-block.ts'
import { Wakeup } from './wakeup.ts'

export const entities = [
  Organization,
  Page,
  FormerPageSlug,
  ManagedDomain,
  ExampleRecord,
  ApiToken,
  AccessLink,
  CssPreview,
  PageSettings,
  StatusType,
  LifecycleStage,
  Preset,
  LocalizedVariant,
  HierarchyLevel,
  HierarchyItem,
  RemovedStatusEvent,
  StatusEvent,
  Incident,
  IncidentUpdate,
  IncidentImpact,
  IncidentReport,
  MaintenanceSeries,
  MaintenanceSeriesItem,
  Maintenance,
  MaintenanceItem,
  MaintenanceUpdate,
  MaintenanceOccurrence,
  BeatGroup,
  Beat,
  BeatComponent,
  BeatTransition,
  BeatAction,
  Banner,
  Heartbeat,
  BeatResult,
  BeatRollup,
  BeatChange,
  BeatAssignment,
  CheckShard,
  CheckRequest,
  IngestEndpoint,
  IngestToken,
  IngestCount,
  IngestEvent,
  EventTrigger,
  EventEvaluation,
  BeatFingerprint,
  DelegationTurn,
  Delivery,
  ActionPlan,
  Feed,
  FeedReader,
  Subscriber,
  Subscription,
  NotificationEvent,
  CustomView,
  ViewAliasBlock,
  ViewAccessRequest,
  Wakeup,
  Process,
  ProcessNote,
  ProcessRequest,
  AuditEvent,
  IdempotencyRecord,
  Secret,
  Installation,
  ApiPulse,
  SharedRead,
]
