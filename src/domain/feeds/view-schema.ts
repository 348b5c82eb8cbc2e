import { z } from 'zod'
import { PublicIncident } from '../incidents/schema.ts'
import { momentOut } from '../kernel/schema.ts'
import { PublicMaintenance } from '../maintenances/schema.ts'
import { SiteView } from '../pages/views/site.ts'

const entry = {
  id: z.int(),
  published: momentOut(),
  updated: momentOut(),
  status: z.string().describe('What the entry announces: the status of its update, of the creation, or of the record'),
  stage: z.string().optional().describe('The name of the lifecycle stage, in the same way'),
}

const FeedEntry = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['incident', 'incident_update']), ...entry, record: PublicIncident }),
  z.strictObject({ kind: z.enum(['maintenance', 'maintenance_update']), ...entry, record: PublicMaintenance }),
])
export type FeedEntry = z.output<typeof FeedEntry>

/** All data of a feed. */
export const FeedView = SiteView.extend({
  page: z.strictObject({ id: z.int(), created_at: momentOut() }).describe('What the permanent ids are made of'),
  feed: z.strictObject({
    kind: z.string().describe('What the feed is about, such as `page` or `item`'),
    id: z.int(),
    name: z.string().optional().describe('The name of what the feed is about, unless the page'),
    path: z.string().describe('The path of the document about the same'),
  }),
  entries: z.array(FeedEntry).describe('Newest first'),
})
export type FeedView = z.output<typeof FeedView>
