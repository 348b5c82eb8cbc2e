import type { IntentName } from '../language/types.ts'
import type { Response } from '../response-types.ts'
import { muteOneBeat, pauseOneBeat, resumeOneBeat, runOneBeat } from './beat-requests.ts'
import { answerBeats, answerBeatWhy } from './beats.ts'
import { answerChanges } from './changes.ts'
import { answerIngestEvents } from './events.ts'
import { answerExplain } from './explain.ts'
import { answerHelp } from './help.ts'
import {
  acknowledgeOpenIncident,
  openIncident,
  reopenResolvedIncident,
  resolveOpenIncident,
  updateIncident,
} from './incident-requests.ts'
import { answerIncident, answerOpenIncidents, answerPastIncidents } from './incidents.ts'
import { clearItemStatus, setItemStatus } from './item-requests.ts'
import { answerMaintenance, answerUpcomingMaintenance } from './maintenance.ts'
import {
  cancelOpenMaintenance,
  completeRunningMaintenance,
  rescheduleMaintenance,
  scheduleMaintenance,
  startPlannedMaintenance,
} from './maintenance-requests.ts'
import { answerPlans } from './plans.ts'
import { approveReview, rejectReview } from './review-requests.ts'
import { answerReviews } from './reviews.ts'
import { skipNextOccurrence } from './series-requests.ts'
import { answerItemStatus, answerStatus, answerUptime } from './status.ts'

/** What follows from each intent: an answer from reads, or the steps of a plan. */
export const responses: Record<IntentName, Response> = {
  status: answerStatus,
  item_status: answerItemStatus,
  incidents_open: answerOpenIncidents,
  incident_detail: answerIncident,
  incidents_past: answerPastIncidents,
  maintenance_upcoming: answerUpcomingMaintenance,
  maintenance_detail: answerMaintenance,
  changes: answerChanges,
  uptime: answerUptime,
  beats: answerBeats,
  beat_why: answerBeatWhy,
  reviews: answerReviews,
  ingest_events: answerIngestEvents,
  explain: answerExplain,
  plans: answerPlans,
  help: answerHelp,
  incident_open: openIncident,
  incident_update: updateIncident,
  incident_resolve: resolveOpenIncident,
  incident_reopen: reopenResolvedIncident,
  incident_acknowledge: acknowledgeOpenIncident,
  maintenance_schedule: scheduleMaintenance,
  maintenance_reschedule: rescheduleMaintenance,
  maintenance_start: startPlannedMaintenance,
  maintenance_complete: completeRunningMaintenance,
  maintenance_cancel: cancelOpenMaintenance,
  occurrence_skip: skipNextOccurrence,
  beat_pause: pauseOneBeat,
  beat_resume: resumeOneBeat,
  beat_run: runOneBeat,
  beat_mute: muteOneBeat,
  action_approve: approveReview,
  action_reject: rejectReview,
  item_status_set: setItemStatus,
  item_status_clear: clearItemStatus,
}
