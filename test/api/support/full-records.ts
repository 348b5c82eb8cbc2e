import { expect } from '@jest/globals'
import { makeItem } from '../../support/maintenances.ts'
import type { TestService } from '../../support/test-service.ts'

export const translations = [{ locale: 'de', values: { title: 'Kaputt' }, state: 'published' }]

const window = {
  ...{ scheduled_start_time: '2099-01-02T10:00:00Z', scheduled_end_time: '2099-01-02T11:00:00Z' },
  ...{ auto_transition_enabled: true, auto_transition_start_message: 'Go', impact: 'I', chat_channel_id: 'C1' },
}
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const weekly = {
  recurrence_type: 'weekly',
  start_time: '02:30',
  start_date: inDays(30).slice(0, 10),
  duration_minutes: 60,
}

const shared = {
  ...{ name: 'B', description: 'D', impact: 'I', affected_items_freetext: 'F' },
  ...{ automation_paused: true, automation_pause_reason: 'R', muted_until: inDays(1) },
  action_policies: {
    critical: { admin_banner: true, public_post: true, public_post_mode: 'automatic', incident_status: 'degraded' },
    warning: { reopen_within_minutes: 5 },
    recovery: { lifecycle_stage_name: 'Resolved', reminder_interval_minutes: null },
  },
  message_policies: { warning: { title: '{{Monitor-Name}}', preset_message_id: null }, recovery: { body: 'B' } },
  message_policy_translations: [{ locale: 'de', values: { 'warning.title': 'Kaputt' }, state: 'published' }],
}

const beat = {
  ...{ ...shared, type: 'api', interval_seconds: 5, timeout_ms: 250, regions: ['eu', 'us'] },
  target: {
    url: 'https://example.com/?page=2&token=hidden',
    headers: { Authorization: 'Bearer x', Accept: '*/*' },
    assertions: [{ source: 'json', path: '$.ok', operator: 'exists', value: true }],
  },
  threshold_policies: {
    critical_rule: { consecutive_failures: 2, failures_in_window: { failures: 2, checks: 3 }, regions_failing: 2 },
    recovery_rule: { consecutive_successes: 2 },
  },
  ...{ public_metrics_label: 'L', public_metrics_max_range: '7d' },
}

/** Makes records that say something in every field, on a page with the language `de`. Each answers the path of one. */
export function makersOf(service: () => TestService) {
  let number = 0
  function externalId(): string {
    number += 1
    return `record-${number}`
  }

  async function made(path: string, body: object): Promise<string> {
    const { status, body: record } = await service().admin.post(path, body)
    expect([status, record]).toEqual([201, expect.anything()])
    return `${path}/${record.id}`
  }

  async function affected() {
    const parent_id = await makeItem(service(), 'Above')
    const { body } = await service().admin.post('/admin/hierarchy/items', {
      ...{ name: 'Below', parent_id, abbreviated_name: 'B', external_id: externalId() },
      ...{ description: 'D', metadata: { a: [1] } },
      translations: [{ locale: 'de', values: { name: 'Unten' }, state: 'published' }],
    })
    return { affected_items: [{ id: body.id }] }
  }

  const common = async () => ({
    title: 'T',
    external_id: externalId(),
    impact: 'I',
    translations,
    ...(await affected()),
  })

  return {
    externalId,
    async incident(more: object = {}): Promise<string> {
      const own = { affected_items_freetext: 'F', chat_channel_id: 'C1', reminder_interval_minutes: 60 }
      const path = await made('/admin/incidents', { ...(await common()), ...own, ...more })
      await service().admin.post(`${path}/updates`, { message: 'M', status: 'major_outage' })
      return path
    },
    maintenance: async (more: object = {}) => made('/admin/maintenances', { ...(await common()), ...window, ...more }),
    async series(more: object = {}): Promise<string> {
      const own = { ...weekly, generate_months: 2, max_occurrences: 40 }
      return made('/admin/maintenance-series', { ...(await common()), ...own, ...more })
    },
    async beat(more: object = {}): Promise<string> {
      const { affected_items } = await affected()
      const group = await made('/admin/beat-groups', { name: 'G' })
      const own = { ...beat, external_id: externalId(), beat_group_id: Number(group.split('/').at(-1)) }
      return made('/admin/beats', { ...own, component_refs: affected_items, public_metrics_enabled: true, ...more })
    },
    async beatGroup(more: object = {}): Promise<string> {
      const { affected_items } = await affected()
      const [one, other] = [await made('/admin/beats', beat), await made('/admin/beats', beat)]
      const member_monitor_ids = [one, other].map((path) => Number(path.split('/').at(-1)))
      const own = { ...shared, name: 'B', external_id: externalId(), message_source_mode: 'member', member_monitor_ids }
      return made('/admin/beat-groups', { ...own, component_refs: affected_items, ...more })
    },
    item: async () => `/admin/hierarchy/items/${(await affected()).affected_items[0]!.id}`,
    feed: () =>
      made('/admin/feeds', {
        ...{ name: 'F', format: 'atom', kinds: ['incidents'], locale: 'de' },
        managers: [{ name: 'Ada', email: 'ada@example.com' }],
      }),
    preset: () => made('/admin/presets', { title: 'P', body: '{{Page-Name}}', category: 'incident', translations }),
  }
}
