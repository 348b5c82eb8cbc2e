import { z } from 'zod'
import { HierarchyItemSummary, ItemRef } from '../hierarchy/schema.ts'
import { pagingFields } from '../kernel/paging.ts'
import {
  computed,
  email,
  id,
  line,
  momentOut,
  readOnly,
  shownOnce,
  text,
  version,
  view,
  webUrl,
  withoutReadOnly,
} from '../kernel/schema.ts'
import { eventKeys } from '../notifications/keys.ts'
import { locale, timeZone } from '../settings/fields.ts'
import { channels, frequencies, LONGEST_PAUSE_DAYS, sources, states } from './rules.ts'

const scopeItems = () => z.array(ItemRef).min(1).max(500)

/** What a request says about one subscription. */
export const PreferenceInput = z
  .strictObject({
    id: id().optional().describe('A subscription of this subscriber that is changed and keeps its record'),
    scope: z
      .discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('page') }),
        z.strictObject({ kind: z.literal('items'), items: scopeItems() }),
        z
          .strictObject({
            kind: z.literal('view'),
            view_id: id().optional(),
            code: line(60).optional().describe('The short code or the alias of the view'),
            view: z
              .union([line(60), id()])
              .optional()
              .describe('The same as `code`, or as `view_id` if it is a number'),
            ...computed('name'),
          })
          .refine(
            ({ view_id, code, view }) => (view_id ?? code ?? view) !== undefined,
            'needs a view, view_id or code',
          ),
      ])
      .default({ kind: 'page' })
      .describe(
        'The whole page, items with what is below them, or a custom view. The view must allow the address when a mail is sent',
      ),
    event_kinds: z
      .array(z.enum(eventKeys))
      .min(1)
      .max(eventKeys.length)
      .optional()
      .describe('Absent: every public event but `item.status_changed`; with `internal` also every internal event'),
    internal: z.boolean().default(false).describe('Also events that the public does not see; only an admin can set it'),
    enabled: z.boolean().default(true),
  })
  .meta({ id: 'SubscriptionPreferenceInput' })

export type PreferenceInput = z.output<typeof PreferenceInput>

const PreferenceInputs = z.array(PreferenceInput).max(50)

export const SubscriptionResource = z
  .strictObject({
    id: z.int(),
    scope: z.strictObject({
      kind: z.enum(['page', 'items', 'view']),
      items: z.array(HierarchyItemSummary).optional(),
      view_id: z.int().optional(),
      code: z.string().optional(),
      view: z.string().optional().describe('The same as `code`'),
      name: z.string().optional().describe('Of the view'),
    }),
    event_kinds: z.array(z.string()),
    internal: z.boolean(),
    enabled: z.boolean(),
    created_at: momentOut(),
    updated_at: momentOut(),
  })
  .meta({ id: 'NotificationSubscription' })

export const SubscriberResource = z
  .strictObject({
    id: z.int(),
    channel: z.enum(channels),
    state: z.enum(states),
    created_at: momentOut(),
    email: z.string().optional().describe('In full records'),
    url: z.string().optional().describe('In full records'),
    locale: z.string().nullable().optional(),
    time_zone: z.string().nullable().optional(),
    frequency: z.enum(frequencies).optional(),
    source: z.enum(sources).optional(),
    confirmed_at: momentOut().nullable().optional(),
    unsubscribed_at: momentOut().nullable().optional(),
    suppressed_at: momentOut().nullable().optional(),
    suppression_reason: z.string().optional(),
    bounce_count: z
      .int()
      .optional()
      .describe(
        `The bounces in a row: a bounce more than ${LONGEST_PAUSE_DAYS} days after the last one begins a new row`,
      ),
    previous_secret_until: momentOut().nullable().optional(),
    version: z.int().optional(),
    updated_at: momentOut().optional(),
  })
  .meta({ id: 'Subscriber' })

export const SubscriberWithSecret = SubscriberResource.extend({
  secret: shownOnce(z.string().optional().describe('Of a webhook: verifies the signatures; shown once')),
}).meta({ id: 'SubscriberWithSecret' })

export const preferences = {
  locale: locale().nullable().optional().describe('Absent or null: the language of the page'),
  time_zone: timeZone().nullable().optional().describe('Absent or null: the time zone of the page'),
  frequency: z.enum(frequencies).optional().describe('`daily`: one mail a day'),
}

const derived = {
  ...readOnly('id', 'channel', 'email', 'url', 'source', 'state'),
  ...computed(
    'created_at',
    'updated_at',
    'confirmed_at',
    'unsubscribed_at',
    'suppressed_at',
    'suppression_reason',
    'bounce_count',
    'previous_secret_until',
  ),
}

export const SubscriberCreateRequest = withoutReadOnly(
  z.strictObject({
    channel: z.enum(channels),
    email: email().optional().describe('Required for the channel `email`'),
    url: webUrl().optional().describe('Required for the channel `webhook`'),
    ...preferences,
    confirmed: z
      .boolean()
      .default(false)
      .describe('The person has agreed: the subscriber is active at once. Otherwise a confirmation is sent'),
    subscriptions: PreferenceInputs.optional().describe(
      'Absent: the whole page, every public event but `item.status_changed`',
    ),
  }),
  'id',
  'state',
  'version',
).meta({ id: 'SubscriberCreateRequest' })

export const SubscriberUpdateRequest = z
  .strictObject({ ...preferences, version: version().optional(), ...derived })
  .meta({ id: 'SubscriberUpdateRequest' })

export const SubscriberListRequest = z.strictObject({
  view,
  channel: z.enum(channels).optional(),
  state: z.enum(states).optional(),
  search: z.string().min(1).max(254).optional().describe('Only addresses that contain this text; for admins'),
  ...pagingFields,
})

export const SuppressRequest = z.strictObject({ reason: text(500).optional(), version: version().optional() })
export const PreferencesRequest = z.strictObject({ subscriptions: PreferenceInputs, version: version().optional() })
export const VersionRequest = z.strictObject({ version: version().optional() })

export const BounceRequest = z
  .strictObject({
    email: email(),
    kind: z.enum(['soft', 'hard', 'complaint']),
    reason: text(500).optional(),
  })
  .meta({ id: 'BounceRequest' })
