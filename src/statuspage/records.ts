import type { StatuspageView } from '../domain/statuspage/read.ts'
import type { Component } from './components.ts'
import { componentStatus, type Impact, impactOf } from './status-rules.ts'
import { timeIn } from './times.ts'

type Incident = StatuspageView['incidents'][number]
type Maintenance = StatuspageView['maintenances'][number]
type ItemStatus = Component['status']

export interface Shown {
  view: StatuspageView
  components: Component[]
  /** The absolute address of the page. */
  url: string
  /** Whether answers have the value `maintenance`, which the original does not document. */
  showsMaintenance: boolean
}

interface Entry {
  id: string
  status: string
  body: string
  created_at: string
  updated_at: string
  change?: { from: ItemStatus; to: ItemStatus }
}

export const incidentsOf = (shown: Shown) => shown.view.incidents.map((incident) => presentIncident(shown, incident))

export const maintenancesOf = (shown: Shown) =>
  shown.view.maintenances.map((maintenance) => presentMaintenance(shown, maintenance))

function presentIncident(shown: Shown, incident: Incident) {
  const { id, title, resolved_at, started_at, report, lifecycle_stage } = incident
  const { status_types } = shown.view
  const at = timeIn(shown.view.page.time_zone)
  const over = report ? 'postmortem' : 'resolved'
  const entries = incidentEntries(shown.view, incident)
  const monitored = entries.findLast(({ status }) => status === 'monitoring')
  return {
    ...commonFields(shown, incident, entries),
    name: title,
    status: resolved_at ? over : openStatus(lifecycle_stage?.name),
    impact: impactOf(incidentStatus(status_types, resolved_at ? worstOf(incident, status_types) : incident.status)),
    started_at: at(started_at!),
    resolved_at: resolved_at ? at(resolved_at) : null,
    ...(monitored && { monitoring_at: at(monitored.created_at) }),
    shortlink: `${shown.url}/incidents/${id}`,
  }
}

function presentMaintenance(shown: Shown, maintenance: Maintenance) {
  const { id, title, status, scheduled_start_time, scheduled_end_time, started_at, ended_at, created_at } = maintenance
  const at = timeIn(shown.view.page.time_zone)
  const impact: Impact | 'maintenance' = shown.showsMaintenance ? 'maintenance' : 'none'
  return {
    ...commonFields(shown, maintenance, maintenanceEntries(maintenance)),
    ...{ name: title, status, impact },
    started_at: at(started_at ?? scheduled_start_time ?? created_at!),
    resolved_at: status === 'completed' && ended_at ? at(ended_at) : null,
    shortlink: `${shown.url}/maintenances/${id}`,
    scheduled_for: scheduled_start_time ? at(scheduled_start_time) : null,
    ...(scheduled_end_time && { scheduled_until: at(scheduled_end_time) }),
  }
}

function commonFields({ view: { page }, components }: Shown, record: Incident | Maintenance, entries: Entry[]) {
  const at = timeIn(page.time_zone)
  const ids = new Set(record.affected_items?.map((item) => String(item.id)))
  const affected = components.filter((component) => ids.has(component.id))
  return {
    id: String(record.id),
    page_id: String(page.id),
    created_at: at(record.created_at!),
    updated_at: at(record.updated_at!),
    incident_updates: entries.map(({ id, status, body, created_at, updated_at, change }) => ({
      ...{ id, status, body },
      incident_id: String(record.id),
      created_at: at(created_at),
      updated_at: at(updated_at),
      display_at: at(created_at),
      affected_components: change
        ? affected.map(({ id: code, name }) => ({ code, name, old_status: change.from, new_status: change.to }))
        : [],
      deliver_notifications: true,
    })),
    components: affected,
  }
}

/**
 * The entries of an incident, newest first. The original has no incident without an entry, so the description is the first entry,
 * and a published report the last one.
 */
function incidentEntries({ status_types }: StatuspageView, incident: Incident): Entry[] {
  const { id, updates = [], initial_status, status, description, created_at, lifecycle_stage, report } = incident
  const statusIn = (key: string | undefined) => incidentStatus(status_types, key ?? 'operational')
  const first = updates.length > 0 ? 'investigating' : openStatus(lifecycle_stage?.name)
  const opened: Entry = {
    ...{ id: `incident-${id}`, status: incident.resolved_at && updates.length === 0 ? 'resolved' : first },
    ...{ body: description, created_at: created_at!, updated_at: created_at! },
    change: { from: 'operational', to: statusIn(initial_status ?? status) },
  }
  const written = updates.map((update) => ({
    id: String(update.id),
    status: update.is_resolution ? 'resolved' : openStatus(update.lifecycle_stage?.name),
    body: update.message,
    created_at: update.created_at!,
    updated_at: update.updated_at!,
    change: { from: statusIn(update.previous_status ?? update.status), to: statusIn(update.status) },
  }))
  const published = report && {
    ...{ id: `postmortem-${id}`, status: 'postmortem', body: report.body },
    ...{
      created_at: report.published_at,
      // A report that is unchanged since it was published was written before.
      updated_at: report.updated_at > report.published_at ? report.updated_at : report.published_at,
    },
  }
  return [...(published ? [published] : []), ...written, opened]
}

const worked: Record<string, ItemStatus> = { in_progress: 'under_maintenance' }

function maintenanceEntries({ id, status, updates = [], description, created_at }: Maintenance): Entry[] {
  const during = (one: string) => worked[one] ?? 'operational'
  const first = updates.at(-1)?.previous_status ?? status
  const planned: Entry = {
    ...{ id: `maintenance-${id}`, status: first, body: description, created_at: created_at!, updated_at: created_at! },
    change: { from: 'operational', to: during(first) },
  }
  const written = updates.map((update) => ({
    ...{ id: String(update.id), status: update.status, body: update.message },
    ...{ created_at: update.created_at!, updated_at: update.updated_at! },
    change: { from: during(update.previous_status ?? update.status), to: during(update.status) },
  }))
  return [...written, planned]
}

const OPEN = ['investigating', 'identified', 'monitoring']

/** The original knows three stages of an open incident. */
function openStatus(stage: string | undefined): string {
  const name = stage?.trim().toLowerCase() ?? ''
  return OPEN.includes(name) ? name : 'investigating'
}

function incidentStatus(types: StatuspageView['status_types'], key: string): ItemStatus {
  return key === 'resolved' ? 'operational' : componentStatus(types, key)
}

/** The impact of a resolved incident is the impact of its worst status. */
function worstOf({ initial_status, updates = [] }: Incident, types: StatuspageView['status_types']): string {
  const severity = new Map(types.map(({ key, display_order }) => [key, display_order]))
  const keys = [initial_status, ...updates.flatMap((update) => [update.status, update.previous_status])]
  return keys
    .filter((key) => key !== undefined)
    .reduce((worst, key) => ((severity.get(key) ?? -1) > (severity.get(worst) ?? -1) ? key : worst), 'operational')
}
