import { z } from 'zod'
import { operation } from '../kernel/operation.ts'
import { version } from '../kernel/schema.ts'
import type { Mutation } from '../translations/schema.ts'
import { translateNew } from '../translations/write.ts'
import { automaticText } from '../vocabulary/automatic-text-rules.ts'
import { requireStage, requireStatus, stagesOf, statusTypes } from '../vocabulary/lookup.ts'
import { firstStage, RESOLVED } from '../vocabulary/rules.ts'
import { writeUpdate } from './add-update.ts'
import { lastOpenStatus } from './change-update.ts'
import { allows } from './policy.ts'
import { presentFull } from './presenter.ts'
import { IncidentResource, ReopenIncidentRequest, ResolveIncidentRequest } from './schema.ts'
import { incidentSubject } from './subject.ts'

export const resolveIncident = operation({
  name: 'incidents.resolve',
  area: 'incidents',
  permission: 'write',
  summary: 'Resolve an incident',
  description:
    'Writes a timeline entry with `is_resolution`. Resolving twice answers 200 with the stored incident. Resolving needs no acknowledgement. `resolved_at` may lie in the past, but not before the start or the newest entry of the timeline. The impacts of the incident end at `resolved_at`, or at the last status event of the item if that is later; an impact that began after `resolved_at` ends at its start. Other impacts on the items since then count.',
  subject: incidentSubject,
  input: ResolveIncidentRequest,
  output: IncidentResource,
  run: async (ctx, input, incident) => {
    const reason = input.resolution_message?.trim()
    const action = reason ? 'resolve: with a reason' : 'resolve: without a reason'
    if (!(await allows(ctx, incident, action, 'resolution_message'))) {
      ctx.existing()
    } else {
      const at = input.resolved_at ? new Date(input.resolved_at) : undefined
      const message = reason || automaticText('resolved')
      const update = await writeUpdate(ctx, incident, {
        message,
        status: RESOLVED,
        at,
        notify: input.notify,
      })
      await translateNew(ctx, ['incident_update', update.id], input.translations?.map(asMessage))
    }
    return (await presentFull(ctx.tx, [incident]))[0]!
  },
})

/** Translations of `resolution_message` become translations of the `message` of the entry. */
const asMessage = ({ values, ...variant }: Mutation): Mutation => ({
  ...variant,
  values: { message: values?.message ?? values?.resolution_message },
})

export const reopenIncident = operation({
  name: 'incidents.reopen',
  area: 'incidents',
  permission: 'write',
  summary: 'Open a resolved incident again',
  description:
    'Without a `status` the incident gets the status that it had before it was resolved, even if that status is archived. The impacts that the resolution ended are open again. Reopening an open incident answers 200 with the stored incident.',
  subject: incidentSubject,
  input: ReopenIncidentRequest,
  output: IncidentResource,
  run: async (ctx, input, incident) => {
    const { tx } = ctx
    if (!(await allows(ctx, incident, 'reopen'))) {
      ctx.existing()
    } else {
      if (input.status !== undefined) requireStatus(await statusTypes(tx), input.status)
      // The last open status is allowed even if it is archived.
      const status = input.status ?? (await lastOpenStatus(ctx, incident))
      const stages = await stagesOf(tx, 'incident')
      const stage = requireStage(stages, input) ?? firstStage(stages)
      const message = input.message?.trim() || automaticText('reopened')
      await writeUpdate(ctx, incident, {
        message,
        status,
        stageId: stage?.id ?? null,
        notify: input.notify,
      })
    }
    return (await presentFull(tx, [incident]))[0]!
  },
})

export const acknowledgeIncident = operation({
  name: 'incidents.acknowledge',
  area: 'incidents',
  permission: 'write',
  summary: 'Acknowledge an incident: a person works on it',
  description: 'Acknowledging twice answers 200 with the stored incident.',
  subject: incidentSubject,
  input: z.strictObject({ version: version().optional() }),
  output: IncidentResource,
  run: async (ctx, _input, incident) => {
    if (!(await allows(ctx, incident, 'acknowledge'))) {
      ctx.existing()
    } else {
      incident.acknowledged_at = ctx.now
      incident.updated_at = ctx.now
      incident.version += 1
    }
    return (await presentFull(ctx.tx, [incident]))[0]!
  },
})
