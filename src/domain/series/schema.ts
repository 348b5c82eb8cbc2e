import { z } from 'zod'
import { affectedItems, HierarchyItemSummary } from '../hierarchy/schema.ts'
import { inAnswer, inChange, translatable } from '../kernel/fields.ts'
import {
  computed,
  externalId,
  id,
  line,
  moment,
  momentOut,
  notify,
  readOnly,
  text,
  version,
  withoutReadOnly,
} from '../kernel/schema.ts'
import { canonicalZone } from '../settings/rules.ts'
import { newTranslations, translations, translationsOut } from '../translations/schema.ts'
import { LifecycleStageResource } from '../vocabulary/schema.ts'
import { windowFields } from './fields.ts'

const recurrenceTypes = ['daily', 'weekly', 'monthly_by_date', 'monthly_by_weekday', 'rrule'] as const
const RecurrenceType = z.enum(recurrenceTypes).meta({ id: 'MaintenanceRecurrenceType' })
export const seriesStatuses = ['active', 'paused', 'ended'] as const
export type SeriesStatus = (typeof seriesStatuses)[number]
const SeriesStatus = z.enum(seriesStatuses).meta({ id: 'MaintenanceRecurrenceSeriesStatus' })

const occurrenceStatuses = ['planned', 'created', 'skipped', 'cancelled', 'completed'] as const
export type OccurrenceStatus = (typeof occurrenceStatuses)[number]

export const Occurrence = z
  .strictObject({
    index: z.int(),
    original_start_time: momentOut().describe(
      'The start by the schedule of the series; with `index` it identifies the occurrence',
    ),
    scheduled_start_time: momentOut().nullable(),
    scheduled_end_time: momentOut().nullable(),
    status: z.enum(occurrenceStatuses),
    maintenance_id: z.int().optional(),
    edited: z
      .boolean()
      .optional()
      .describe('Whether a person changed the window, so that it no longer follows the series'),
    skip_reason: z.string().optional(),
  })
  .meta({ id: 'MaintenanceRecurrenceOccurrence' })

export const Occurrences = z
  .strictObject({ occurrences: z.array(Occurrence), next_cursor: z.string().optional() })
  .meta({ id: 'MaintenanceRecurrenceOccurrences' })

export const SeriesResource = z
  .strictObject({
    id: z.int(),
    ...inAnswer(windowFields),
    status: SeriesStatus,
    external_id: z.string().optional(),
    version: z.int(),
    lifecycle_stage_id: z.int().optional(),
    lifecycle_stage: LifecycleStageResource.optional(),
    recurrence_type: RecurrenceType,
    recurrence_rule: z.string().optional(),
    interval_weeks: z.int().optional(),
    weekday: z.int().optional(),
    ordinal_week: z.int().optional(),
    timezone: z.string(),
    start_time: z.string(),
    start_date: momentOut(),
    ends_on: momentOut().nullable(),
    recurrence_end_time: momentOut().optional(),
    duration_minutes: z.int(),
    generate_months: z.int(),
    max_occurrences: z.int().nullable(),
    created_at: momentOut(),
    updated_at: momentOut(),
    affected_items: z.array(HierarchyItemSummary).optional(),
    kept_occurrences: z
      .array(Occurrence)
      .optional()
      .describe('After a change or an end: the future occurrences that stay unchanged, because a person edited them'),
    translations: translationsOut(),
  })
  .meta({ id: 'MaintenanceRecurrenceSeries' })

const LONGEST_WINDOW = 366 * 24 * 60

/** A date, or a date-time whose written date counts, regardless of its offset. */
const date = () =>
  z
    .union([z.iso.datetime({ offset: true, local: true }), z.iso.date()], {
      message: 'must be an ISO 8601 date or date-time; only its written date counts',
    })
    .overwrite((value) => value.slice(0, 10))
    .meta({ example: '2027-01-04T00:00:00.000Z', format: undefined })

/** The texts that can be translated. */
const words = translatable(windowFields)

const fields = {
  affected_items: affectedItems(),
  lifecycle_stage_id: id(),
  lifecycle_stage_name: line(100),
  recurrence_type: RecurrenceType.describe('Absent with a `recurrence_rule`: `rrule`'),
  recurrence_rule: text(500).nullable().describe('RFC 5545, for the type `rrule`: `FREQ=WEEKLY;BYDAY=TU,TH`'),
  interval_weeks: z
    .int()
    .min(1)
    .max(520)
    .nullable()
    .describe('For the type `weekly`: the number of weeks between occurrences'),
  weekday: z.int().min(1).max(7).nullable().describe('ISO: Monday is 1'),
  ordinal_week: z.int().min(-1).max(4).nullable().describe('1 to 4, or -1 for the last in the month'),
  timezone: text(100)
    .overwrite((name) => canonicalZone(name) ?? name)
    .meta({ example: 'Europe/Berlin' })
    .describe('The time zone of `start_time`'),
  start_time: text(5)
    .meta({ example: '02:30' })
    .describe('`HH:mm`; a time that a clock change skips moves forward by the gap'),
  start_date: date().describe('The first possible day of an occurrence'),
  ends_on: date().nullable().describe('The last possible day of an occurrence'),
  recurrence_end_time: moment().nullable().describe('The latest start, in addition to `ends_on`'),
  duration_minutes: z.int().min(1).max(LONGEST_WINDOW).describe('Elapsed time, independent of clock changes'),
  generate_months: z.int().min(1).max(24).describe('How many months ahead the windows are created'),
  max_occurrences: z.int().min(1).max(20_000).nullable().describe('Skipped occurrences count'),
  status: SeriesStatus,
}

const optional = <F extends Record<string, z.ZodType>>(shape: F) =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, field.optional()])) as {
    [K in keyof F]: z.ZodOptional<F[K]>
  }

const derived = {
  ...readOnly('id'),
  ...computed('created_at', 'updated_at', 'lifecycle_stage', 'kept_occurrences'),
}

const creation = z.strictObject({
  // As in a change, null stands for the default, except for the description.
  ...inChange(windowFields),
  title: words.title,
  description: words.description.optional(),
  ...optional(fields),
  affected_items: fields.affected_items,
  start_time: fields.start_time,
  start_date: fields.start_date,
  duration_minutes: fields.duration_minutes,
  status: z.enum(['active', 'paused']).default('active'),
  external_id: externalId().optional(),
  notify: notify(),
  translations: newTranslations(words),
})
export const SeriesCreateRequest = withoutReadOnly(creation, derived, 'version')

export const SeriesUpdateRequest = z.strictObject({
  ...inChange(windowFields),
  title: words.title,
  ...optional(fields),
  version: version().optional(),
  notify: notify(),
  translations: translations(words),
  ...derived,
  ...readOnly('external_id'),
})

export const SeriesPutRequest = creation.extend({
  status: SeriesUpdateRequest.shape.status,
  external_id: externalId(),
  version: version().optional(),
  ...derived,
})
