import { z } from 'zod'
import { itemsOfMaintenance } from '../../persistence/branches.ts'
import { withAncestors } from '../../persistence/hierarchy.ts'
import { countRecipients } from '../../persistence/recipients.ts'
import { itemsOfIncident } from '../../persistence/timelines.ts'
import { resolveItems } from '../hierarchy/references.ts'
import { incidentSubject } from '../incidents/subject.ts'
import type { Context } from '../kernel/context.ts'
import { operation, type Subject } from '../kernel/operation.ts'
import { maintenanceSubject } from '../maintenances/subject.ts'
import { publicKeys } from '../notifications/keys.ts'

const NotificationPreview = z
  .strictObject({
    key: z.string(),
    recipients: z
      .strictObject({ email: z.int(), webhook: z.int() })
      .describe('How many would be notified now, by channel'),
    total: z.int(),
  })
  .meta({ id: 'NotificationPreview' })

/** The same rule finds the recipients of a notification. */
async function preview({ tx, pageId }: Context, key: string, items: number[]) {
  const scope = [...(await withAncestors(tx, items)).keys()]
  const counts = await countRecipients(tx, pageId, { key, isPublic: true, scope, items })
  const count = (channel: string) => counts.find((row) => row.channel === channel)?.count ?? 0
  const recipients = { email: count('email'), webhook: count('webhook') }
  return { key, recipients, total: recipients.email + recipients.webhook }
}

const texts = (what: string) => ({
  area: 'audience' as const,
  permission: 'read' as const,
  summary: `Count who would be notified ${what}`,
  description: 'Subscribers with a daily mail count, too. Nothing is sent.',
})

const keysOf = (kind: string) => publicKeys.filter((key) => key.startsWith(`${kind}.`)) as [string, ...string[]]

export const previewNotification = operation({
  ...texts('of something new'),
  name: 'notifications.preview',
  input: z.strictObject({
    key: z.enum(publicKeys).default('incident.created').describe('The event'),
    items: z.string().max(2000).default('').describe('The ids or slugs of the affected items, separated by commas'),
  }),
  output: NotificationPreview,
  run: async (ctx, { key, items }) => {
    const refs = items
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean)
      .map((name) => (/^\d+$/.test(name) ? { id: Number(name) } : { slug: name }))
    const found = await resolveItems(ctx.tx, refs, 'items')
    return preview(
      ctx,
      key,
      found.map(({ id }) => id),
    )
  },
})

export const previewOfIncident = operation({
  ...texts('of a change of an incident'),
  name: 'incidents.notification_preview',
  subject: incidentSubject as unknown as Subject<{ id: number }>,
  input: z.strictObject({ key: z.enum(keysOf('incident')).default('incident.updated') }),
  output: NotificationPreview,
  run: async (ctx, { key }, { id }) => preview(ctx, key, await itemsOfIncident(ctx.tx, id)),
})

export const previewOfMaintenance = operation({
  ...texts('of a change of a maintenance'),
  name: 'maintenances.notification_preview',
  subject: maintenanceSubject as unknown as Subject<{ id: number }>,
  input: z.strictObject({ key: z.enum(keysOf('maintenance')).default('maintenance.updated') }),
  output: NotificationPreview,
  run: async (ctx, { key }, { id }) => preview(ctx, key, await itemsOfMaintenance(ctx.tx, ctx.pageId, id)),
})
