import { z } from 'zod'
import { email, unkept } from '../../kernel/schema.ts'
import { publicKeys } from '../../notifications/keys.ts'
import { locale } from '../../settings/fields.ts'
import { frequencies, states } from '../rules.ts'
import { PreferenceInput, preferences, SubscriptionResource } from '../schema.ts'

/** What the public may say about a subscription: nothing about internal events. */
const PublicPreferenceInput = PreferenceInput.omit({ internal: true })
  .extend({
    event_kinds: z
      .array(z.enum(publicKeys))
      .min(1)
      .max(publicKeys.length)
      .optional()
      .describe('Absent: every public event but `item.status_changed`'),
  })
  .meta({ id: 'PublicPreferenceInput' })

const NewPreferenceInput = PublicPreferenceInput.omit({ id: true }).meta({ id: 'NewPreferenceInput' })

export const SubscribeRequest = z
  .strictObject({
    email: email(),
    locale: locale().optional().describe('Absent: the language of the page'),
    subscriptions: z
      .array(NewPreferenceInput)
      .min(1)
      .max(10)
      .optional()
      .describe('Absent: the whole page, every public event but `item.status_changed`'),
  })
  .meta({ id: 'SubscribeRequest' })

export const ManageLinkRequest = z.strictObject({ email: email() }).meta({ id: 'ManageLinkRequest' })

export const OwnPreferencesRequest = z
  .strictObject({
    subscriptions: z.array(PublicPreferenceInput).max(50).optional(),
    ...preferences,
  })
  .meta({ id: 'OwnPreferencesRequest' })

const linked = {
  page: z.strictObject({ id: z.int(), name: z.string(), url: z.string(), public_slug: z.string() }),
  subscriber: z.strictObject({
    email: z.string(),
    state: z.enum(states),
    locale: z.string().nullable(),
    time_zone: z.string().nullable(),
    frequency: z.enum(frequencies),
  }),
}

const done = { message: z.string() }

/** What a link shows before anything is done. */
export const LinkResource = z.strictObject(linked).meta({ id: 'SubscriptionLink' })
export type LinkResource = z.output<typeof LinkResource>

export const LinkDone = LinkResource.extend({
  ...done,
  manage_url: unkept(z.string().optional().describe('After a confirmation: where the subscriber changes preferences')),
}).meta({ id: 'SubscriptionLinkDone' })
export type LinkDone = z.output<typeof LinkDone>

export const OwnPreferences = LinkResource.extend({
  subscriptions: z.array(SubscriptionResource),
  choices: z
    .strictObject({
      items: z.array(z.strictObject({ id: z.int(), name: z.string(), depth: z.int() })),
      locales: z.array(z.string()),
      event_kinds: z.array(z.enum(publicKeys)),
    })
    .describe('What the preferences can name'),
  unsubscribe_url: unkept(z.string()),
}).meta({ id: 'OwnPreferences' })
export type OwnPreferences = z.output<typeof OwnPreferences>

export const OwnPreferencesDone = OwnPreferences.extend(done).meta({ id: 'OwnPreferencesDone' })
