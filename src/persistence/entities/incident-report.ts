import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

/** The postmortem of an incident. An incident has at most one. */
export const IncidentReport = defineEntity({
  name: 'IncidentReport',
  tableName: 'incident_report',
  policies: pagePolicies(),
  uniques: [{ name: 'incident_report_incident_key', properties: ['page_id', 'incident_id'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    incident_id: p.integer(),
    title: p.text(),
    body: p.text(),
    /** Set while it is published. */
    published_at: moment().strictNullable(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type IncidentReport = InferEntity<typeof IncidentReport>
