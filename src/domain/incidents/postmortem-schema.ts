import { z } from 'zod'
import { computed, line, momentOut, readOnly, text, version } from '../kernel/schema.ts'
import { translations, translationsOut } from '../translations/schema.ts'

/** The texts of a report, which can be translated. */
const words = { title: line(300), body: text(100_000).min(1) }

export const IncidentReportResource = z
  .strictObject({
    id: z.int(),
    incident_id: z.int(),
    title: z.string(),
    body: z.string().describe('Markdown, unchanged'),
    state: z.enum(['draft', 'published']),
    version: z.int(),
    created_at: momentOut(),
    updated_at: momentOut(),
    published_at: momentOut().nullable(),
    translations: translationsOut(),
  })
  .meta({ id: 'IncidentReport' })

export const PublicIncidentReport = z
  .strictObject({ title: z.string(), body: z.string(), published_at: momentOut(), updated_at: momentOut() })
  .meta({ id: 'PublicIncidentReport' })

export const IncidentReportRequest = z.strictObject({
  title: words.title,
  body: words.body.describe('Markdown, stored unchanged'),
  version: version().optional().describe('Of the report: applied only if it is current'),
  translations: translations(words),
  ...readOnly('id', 'incident_id', 'state'),
  ...computed('created_at', 'updated_at', 'published_at'),
})
