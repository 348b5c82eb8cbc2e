import { z } from 'zod'
import { PublicComponent } from '../hierarchy/public.ts'
import { HierarchyItemSummary, ItemRef } from '../hierarchy/schema.ts'
import { PublicIncident } from '../incidents/schema.ts'
import {
  computed,
  email,
  inOneLine,
  line,
  moment,
  momentOut,
  readOnly,
  text,
  version,
  withoutReadOnly,
} from '../kernel/schema.ts'
import { PublicMaintenance } from '../maintenances/schema.ts'

import { ALIAS, accessModes } from './rules.ts'

const MOST = 500

const alias = () =>
  z
    .string()
    .trim()
    .toLowerCase()
    .regex(ALIAS, 'must have 2 to 50 letters, digits and hyphens, and begin and end with a letter or a digit')
    .describe('A name for the address of the view, in lower case; no word of the blocklist')

const domain = () =>
  z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?$/, 'must be a domain')

const Manager = z.strictObject({ name: inOneLine(line(200)), email: email() }).meta({ id: 'Manager' })
export const managers = () =>
  z.array(Manager).max(50).describe('Contacts, which administrators see; they have no rights in the service')

const accessMode = () =>
  z
    .enum(accessModes)
    .describe(
      'Who may read: everyone who may read the page, or only who proves an email address by a code: any address, an address of a domain, or a listed address',
    )

const fields = {
  name: inOneLine(line(200)),
  description: text(2000).nullable().describe('null clears it'),
  items: z.array(ItemRef).min(1).max(MOST),
  include_descendants: z.boolean().describe('Also everything below the items'),
  access_mode: accessMode(),
  allowed_domains: z.array(domain()).max(MOST).describe('For the access mode `allowed_domains`; exact domains'),
  allowed_emails: z
    .array(email().toLowerCase())
    .max(MOST)
    .describe('For the access mode `allowed_emails`; upper and lower case are the same'),
  managers: managers(),
  enabled: z.boolean().describe('A disabled view is a 404 for readers'),
  expires_at: moment().nullable().describe('From then on, the view is a 404 for readers'),
}

const shared = {
  short_code: z.string(),
  alias: z.string().nullable(),
  name: z.string(),
  description: z.string(),
  access_mode: z.enum(accessModes),
  expires_at: momentOut().nullable(),
  url: z.string(),
}

const missing = () =>
  z
    .array(z.strictObject({ id: z.int(), name: z.string() }))
    .describe('Items of the view that were deleted or archived, with their last known names')

export const CustomViewResource = z
  .strictObject({
    id: z.int(),
    ...shared,
    items: z.array(HierarchyItemSummary),
    include_descendants: z.boolean(),
    allowed_domains: z.array(z.string()),
    allowed_emails: z.array(z.string()).optional().describe('For administrators of the audience'),
    managers: z.array(Manager).optional().describe('For administrators of the audience'),
    enabled: z.boolean(),
    missing_items: missing(),
    version: z.int(),
    created_at: momentOut(),
    updated_at: momentOut(),
  })
  .meta({ id: 'CustomView' })

export const CreatedView = z
  .strictObject({ id: z.int(), short_code: z.string(), url: z.string(), view: CustomViewResource })
  .meta({ id: 'CreatedCustomView' })

const derived = {
  ...readOnly('id', 'short_code'),
  ...computed('url', 'missing_items', 'created_at', 'updated_at'),
}

export const ViewCreateRequest = withoutReadOnly(
  z.strictObject({
    ...fields,
    alias: alias().nullable().default(null),
    description: fields.description.default(''),
    include_descendants: fields.include_descendants.default(true),
    access_mode: fields.access_mode.default('public'),
    allowed_domains: fields.allowed_domains.default([]),
    allowed_emails: fields.allowed_emails.default([]),
    managers: fields.managers.default([]),
    enabled: fields.enabled.default(true),
    expires_at: fields.expires_at.default(null),
  }),
  derived,
  'version',
).meta({ id: 'CustomViewCreateRequest' })

export const ViewUpdateRequest = z
  .strictObject({
    ...z.strictObject({ ...fields, alias: alias().nullable() }).partial().shape,
    version: version().optional(),
    ...derived,
  })
  .meta({ id: 'CustomViewUpdateRequest' })

/** What readers see of a view. */
export const PublicView = z
  .strictObject({
    name: z.string(),
    access_mode: z.enum(accessModes),
    short_code: z.string().optional(),
    alias: z.string().nullable().optional(),
    description: z.string().optional(),
    expires_at: momentOut().nullable().optional(),
    url: z.string().optional(),
    items: z.array(HierarchyItemSummary).optional(),
    missing_items: missing().optional(),
  })
  .meta({ id: 'PublicView' })

export const ViewData = z
  .strictObject({
    view: PublicView,
    status: z.strictObject({ key: z.string(), name: z.string(), sentence: z.string() }),
    items: z.array(PublicComponent).describe('Level by level in display order'),
    incidents: z.array(PublicIncident).describe('The open incidents, newest first: at most 50'),
    past_incidents: z.array(PublicIncident).describe('Resolved in the last 14 days, newest first: at most 20'),
    maintenances: z.strictObject({
      active: z.array(PublicMaintenance),
      upcoming: z
        .array(PublicMaintenance)
        .describe('Within `homepage_upcoming_maintenance_days`; of each series only the next window'),
    }),
    generated_at: momentOut(),
  })
  .meta({ id: 'ViewData' })

const BlockedWord = line(50).toLowerCase()

export const AliasBlockResource = z
  .strictObject({
    id: z.int(),
    value: z.string(),
    version: z.int(),
    created_at: momentOut(),
    updated_at: momentOut(),
  })
  .meta({ id: 'ViewAliasBlock' })

const blockDerived = { ...readOnly('id'), ...computed('created_at', 'updated_at') }

export const AliasBlockCreateRequest = withoutReadOnly(
  z.strictObject({ value: BlockedWord }),
  blockDerived,
  'version',
).meta({ id: 'ViewAliasBlockCreateRequest' })
export const AliasBlockUpdateRequest = z
  .strictObject({ value: BlockedWord.optional(), version: version().optional(), ...blockDerived })
  .meta({ id: 'ViewAliasBlockUpdateRequest' })
