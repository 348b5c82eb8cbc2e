import { groupFields } from '../../src/domain/beats/groups/fields.ts'
import { observeStage } from '../../src/domain/beats/stage/observe.ts'
import type { Stage } from '../../src/domain/beats/stage/stage-rules.ts'
import { initialState } from '../../src/domain/beats/stage/transition.ts'
import type { PageRef } from '../../src/domain/kernel/context.ts'
import { defaultsOf } from '../../src/domain/kernel/fields.ts'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { inUnitOfWork } from '../../src/domain/kernel/unit-of-work.ts'
import { steps } from '../../src/domain/steps.ts'
import { Beat } from '../../src/persistence/entities/beat.ts'
import { BeatAction } from '../../src/persistence/entities/beat-action.ts'
import { BeatComponent } from '../../src/persistence/entities/beat-component.ts'
import { BeatGroup } from '../../src/persistence/entities/beat-group.ts'
import { BeatTransition } from '../../src/persistence/entities/beat-transition.ts'
import { makeItem } from './maintenances.ts'
import { type BeatFields, inPage, insertBeat, transitionsOf } from './stored-beats.ts'
import type { TestService } from './test-service.ts'

/** Beats that act, seen by tests rather than by checks. */

let seen = 0

/** A result puts the beat into this stage. */
export function see(
  service: TestService,
  id: number,
  stage: Stage,
  facts: BeatTransition['facts'] = {},
): Promise<unknown> {
  seen += 1
  const key = `seen:${seen}`
  const evidence = stage === 'healthy' ? '200 from db-7.internal' : '503 from db-7.internal'
  return inPage(service, (work) => observeStage(work, id, async () => ({ stage, key, cause: key, evidence, facts })))
}

/** The process of a beat or a group looks. */
export const look = (service: TestService, kind: 'beat' | 'beat-group', id: number) =>
  takeStep(service.services, steps[kind], { kind, pageId: service.page.id, id })

/** Each of these stages is seen, and looked at. */
export async function goes(service: TestService, id: number, ...stages: Stage[]): Promise<void> {
  for (const stage of stages) {
    await see(service, id, stage)
    await look(service, 'beat', id)
  }
}

const automatic = { public_post: true, public_post_mode: 'automatic' }
/** Every transition is posted at once. */
export const openly = {
  warning: { admin_banner: true, ...automatic },
  critical: { admin_banner: true, ...automatic },
  recovery: automatic,
}
const drafted = { public_post: true, public_post_mode: 'draft_only' }
/** Everything is reviewed first. */
export const carefully = { warning: drafted, critical: drafted, recovery: drafted }

/** A beat that is healthy, and the item that it stands for. */
export async function actingBeat(service: TestService, fields: BeatFields = {}) {
  const item = await makeItem(service, 'Payments')
  const id = await insertBeat(service, { name: 'pay-db-7 probe', action_policies: openly, ...fields })
  await mapItems(service, 'beat', id, [item])
  await goes(service, id, 'healthy')
  return { id, item }
}

export const mapItems = (service: TestService, owner_kind: 'beat' | 'beat_group', owner_id: number, items: number[]) =>
  inPage(service, async ({ tx, pageId }) => {
    for (const item_id of items) {
      tx.create(BeatComponent, {
        page_id: pageId,
        owner_kind,
        owner_id,
        item_id,
        reference: { id: item_id, slug: 'x' },
      })
    }
  })

const plainGroup = {
  ...defaultsOf(groupFields, {}),
  ...{ name: 'Payments group', action_policies: openly, muted_until: null },
  ...{ external_id: null, create_hash: null, version: 1, ...initialState() },
}

export const insertGroup = (service: TestService, fields: object = {}): Promise<number> =>
  inPage(service, async ({ tx, pageId, now }) => {
    const group = tx.create(BeatGroup, { ...plainGroup, ...fields, page_id: pageId, created_at: now, updated_at: now })
    await tx.flush()
    return group.id
  })

export const setFields = (
  service: TestService,
  table: 'beat' | 'beat_group',
  id: number,
  sql: string,
): Promise<unknown> => service.services.system.em.fork().execute(`update ${table} set ${sql} where id = ?`, [id])

/** What the last transition of a beat says of what was done. */
export async function lastOf(service: TestService, id: number) {
  const last = (await transitionsOf(service, id)).at(-1)!
  return {
    stage: last.to_stage,
    done: last.actions.map(({ message }) => String(message).replace(/\d+/g, 'N')),
    because: last.not_acted_because,
  }
}

async function listed(service: TestService, path: string) {
  const { body } = await service.admin.get(`/admin${path}`)
  return body.beat_actions ?? body.banners
}

export const actionsOf = async (service: TestService, id: number) =>
  (await listed(service, `/beat-actions?view=full&beat_id=${id}`)).reverse()
export const actionsOfGroup = async (service: TestService, id: number) =>
  (await listed(service, `/beat-actions?view=full&beat_group_id=${id}`)).reverse()
export const bannersOf = async (service: TestService, id: number) =>
  (await listed(service, `/banners?state=open&beat_id=${id}`)).map(({ message }: { message: string }) => message)

export const incident = async (service: TestService, id: number) =>
  (await service.admin.get(`/admin/incidents/${id}`)).body

/** The incidents that the beat's or group's actions made, in their order. */
export async function incidentsOf(service: TestService, id: number, kind: 'beat' | 'group' = 'beat') {
  const actions = await (kind === 'beat' ? actionsOf : actionsOfGroup)(service, id)
  const ids: number[] = actions.flatMap(({ incident_id: of }: { incident_id?: number }) => of ?? [])
  return Promise.all([...new Set(ids)].map((one) => incident(service, one)))
}

export const messagesOf = ({ updates }: { updates: { message: string }[] }) =>
  updates.map(({ message }) => message).reverse()

/** The beat is deleted, and its process is woken. */
export const removeRow = (service: TestService, kind: 'beat' | 'beat-group', id: number) =>
  inPage(service, async ({ tx, wake }) => {
    await (kind === 'beat' ? tx.nativeDelete(Beat, { id }) : tx.nativeDelete(BeatGroup, { id }))
    wake({ kind, id }, 'its deletion')
  })

/** An action that waits for review, of a beat that is not there any more. */
export const insertAction = ({ services }: TestService, page: PageRef): Promise<number> =>
  inUnitOfWork(services, page.id, async ({ tx, now }) => {
    const of = { page_id: page.id, owner_kind: 'beat' as const, owner_id: 4711 }
    const transition = tx.create(BeatTransition, {
      ...{ ...of, number: 1, from_stage: null, to_stage: 'critical', at: now, cause: 'x', cause_key: 'x' },
      ...{ evidence: '', facts: {}, actions: [], not_acted_because: null },
    })
    await tx.flush()
    const draft = {
      ...{ kind: 'open', title: 'Down', body: 'It is down.', translations: [], incident_status: 'degraded' },
      ...{ impact: null, affected_items_freetext: null, items: [] },
    }
    const action = tx.create(BeatAction, {
      ...{ ...of, transition_id: transition.id, stage: 'critical', mode: 'draft_only', state: 'pending_review', draft },
      ...{ incident_id: null, update_id: null, notification_event: null, reason: null, executed_at: null },
      ...{ decision_note: null, decided_by: null, decided_at: null, version: 1, created_at: now, updated_at: now },
    })
    await tx.flush()
    return action.id
  })
