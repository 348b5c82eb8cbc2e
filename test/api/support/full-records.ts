import { expect } from '@jest/globals'
import type { House } from '../../support/house.ts'
import { makeItem } from '../../support/maintenances.ts'

export const translations = [{ locale: 'de', values: { title: 'Kaputt' }, state: 'published' }]

const window = {
  ...{ scheduled_start_time: '2027-01-02T10:00:00Z', scheduled_end_time: '2027-01-02T11:00:00Z' },
  ...{ auto_transition_enabled: true, auto_transition_start_message: 'Go', impact: 'I', chat_channel_id: 'C1' },
}
const weekly = { recurrence_type: 'weekly', start_time: '02:30', start_date: '2027-01-04', duration_minutes: 60 }

/** Makes records that say something in every field, on a page with the language `de`. Each answers the path of one. */
export function makersOf(house: () => House) {
  let number = 0
  function externalId(): string {
    number += 1
    return `record-${number}`
  }

  async function made(path: string, body: object): Promise<string> {
    const { status, body: record } = await house().admin.post(path, body)
    expect([status, record]).toEqual([201, expect.anything()])
    return `${path}/${record.id}`
  }

  async function affected() {
    const parent_id = await makeItem(house(), 'Above')
    const { body } = await house().admin.post('/admin/hierarchy/items', {
      ...{ name: 'Below', parent_id, abbreviated_name: 'B', external_id: externalId() },
      ...{ description: 'D', metadata: { a: [1] } },
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
      await house().admin.post(`${path}/updates`, { message: 'M', status: 'major_outage' })
      return path
    },
    maintenance: async (more: object = {}) => made('/admin/maintenances', { ...(await common()), ...window, ...more }),
    async series(more: object = {}): Promise<string> {
      const own = { ...weekly, generate_months: 2, max_occurrences: 40 }
      return made('/admin/maintenance-series', { ...(await common()), ...own, ...more })
    },
    item: async () => `/admin/hierarchy/items/${(await affected()).affected_items[0]!.id}`,
    preset: () => made('/admin/presets', { title: 'P', body: '{{Page-Name}}', category: 'incident', translations }),
  }
}
