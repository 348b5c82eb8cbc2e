import type { TestService } from './test-service.ts'

export const beatsPath = '/admin/beats'

/** The least that a beat says. */
export const httpBeat = {
  ...{ name: 'Checkout API', type: 'http', target: { url: 'https://example.com/health' } },
  threshold_policies: { critical_rule: { consecutive_failures: 3 } },
}

export async function makeBeat(service: TestService, body: object = {}) {
  const made = await service.admin.post(beatsPath, { ...httpBeat, ...body })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body
}

/** An open banner and an action that waits for review, as its process would leave them; answers what became of them. */
export async function leaveOpen({ services, page }: TestService, kind: 'beat' | 'beat_group', id: number, number = id) {
  const em = services.system.em.fork()
  const group = kind === 'beat' ? null : id
  await em.execute(
    `insert into banner (page_id, beat_id, beat_group_id, natural_key, stage, message, created_at)
      values (?, ?, ?, ?, 'critical', 'M', now())`,
    [page.id, number, group, `${kind}:${id}`],
  )
  const [transition] = await em.execute<{ id: number }[]>(
    `insert into beat_transition
        (page_id, owner_kind, owner_id, number, to_stage, at, cause, cause_key, evidence, facts, actions)
      values (?, ?, ?, 1, 'critical', now(), 'C', 'K', 'E', '{}', '[]') returning id`,
    [page.id, kind, id],
  )
  await em.execute(
    `insert into beat_action
        (page_id, owner_kind, owner_id, transition_id, stage, mode, state, draft, version, created_at, updated_at)
      values (?, ?, ?, ?, 'critical', 'draft_only', 'pending_review', '{}', 1, now(), now())`,
    [page.id, kind, id, transition!.id],
  )
  return async () => {
    const [left] = await em.execute<{ banner: string | null; action: string }[]>(
      `select (select dismissed_by from banner where natural_key = ?) as banner,
        (select state || coalesce(': ' || reason, '') from beat_action where owner_kind = ? and owner_id = ?) as action`,
      [`${kind}:${id}`, kind, id],
    )
    return left
  }
}

/** What of a beat no client sees. */
export async function keptOf({ services }: TestService, id: number) {
  const [row] = await services.system.em
    .fork()
    .execute<{ config_version: number; target: object }[]>('select config_version, target from beat where id = ?', [id])
  return row
}

/** The number of requests to assign this beat to a shard again. */
export async function changesOf({ services }: TestService, id: number): Promise<number> {
  const [row] = await services.system.em
    .fork()
    .execute<{ count: number }[]>('select count(*)::int as count from beat_change where beat_id = ?', [id])
  return row!.count
}
