import type { EntityManager } from '@mikro-orm/postgresql'
import type { Banner } from '../../../persistence/entities/banner.ts'
import { Beat } from '../../../persistence/entities/beat.ts'
import type { BeatAction } from '../../../persistence/entities/beat-action.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { Incident } from '../../../persistence/entities/incident.ts'
import { IncidentUpdate } from '../../../persistence/entities/incident-update.ts'
import { presentFull as presentIncidents, presentUpdates } from '../../incidents/presenter.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { presentCompact as presentBeats } from '../definition/presenter.ts'
import { presentCompact as presentGroups } from '../groups/presenter.ts'
import type { Stage } from '../stage/stage-rules.ts'
import type { Draft } from './action-draft.ts'
import { sourcesOf } from './event-sources.ts'

const iso = (moment: Date | null) => moment?.toISOString()

export function presentCompact(action: BeatAction) {
  const { kind, title } = action.draft as unknown as Draft
  return {
    id: action.id,
    beat_id: action.owner_kind === 'beat' ? action.owner_id : undefined,
    beat_group_id: action.owner_kind === 'beat_group' ? action.owner_id : undefined,
    stage: action.stage as Stage,
    mode: action.mode,
    state: action.state,
    kind,
    title,
    incident_id: action.incident_id ?? undefined,
    update_id: action.update_id ?? undefined,
    notification_event: action.notification_event ?? undefined,
    reason: action.reason ?? undefined,
    decision_note: action.decision_note ?? undefined,
    decided_by: action.decided_by ?? undefined,
    decided_at: iso(action.decided_at),
    executed_at: iso(action.executed_at),
    version: action.version,
    created_at: action.created_at.toISOString(),
    updated_at: action.updated_at.toISOString(),
  }
}

export const presentAction = (action: BeatAction) => ({
  ...presentCompact(action),
  draft: action.draft as unknown as Draft,
})

export async function presentWithSource(tx: EntityManager, action: BeatAction) {
  const sources = await sourcesOf(tx, [action], { previews: true })
  return { ...presentAction(action), source: sources(action) }
}

/** An action with its owner, and with the incident and the update that it wrote, as far as they exist. */
export async function presentExecution({ tx }: Pick<WorkContext, 'tx'>, action: BeatAction) {
  await tx.flush()
  const { owner_kind, owner_id, incident_id, update_id } = action
  const beat = owner_kind === 'beat' ? await tx.findOne(Beat, { id: owner_id }) : null
  const group = owner_kind === 'beat_group' ? await tx.findOne(BeatGroup, { id: owner_id }) : null
  const incident = incident_id === null ? null : await tx.findOne(Incident, { id: incident_id })
  const update = update_id === null ? null : await tx.findOne(IncidentUpdate, { id: update_id })
  return {
    action: await presentWithSource(tx, action),
    monitor: beat ? (await presentBeats(tx, [beat]))[0]! : undefined,
    beat_group: group ? (await presentGroups(tx, [group]))[0]! : undefined,
    incident: incident ? (await presentIncidents(tx, [incident]))[0]! : undefined,
    update: update ? (await presentUpdates(tx, [update]))[0]! : undefined,
    notification_event: action.notification_event ?? undefined,
  }
}

export const presentBanner = (banner: Banner) => ({
  id: banner.id,
  beat_id: banner.beat_id,
  beat_group_id: banner.beat_group_id ?? undefined,
  stage: banner.stage as Stage,
  message: banner.message,
  created_at: banner.created_at.toISOString(),
  dismissed_at: iso(banner.dismissed_at) ?? null,
  dismissed_by: banner.dismissed_by ?? undefined,
})
