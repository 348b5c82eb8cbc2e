import { z } from 'zod'
import { LifecycleStage } from '../../persistence/entities/lifecycle-stage.ts'
import { StatusType } from '../../persistence/entities/status-type.ts'
import { Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { recordSubject } from '../kernel/subject.ts'
import { stagesOf, statusTypes } from './lookup.ts'
import { presentStage, presentStatusType } from './presenter.ts'
import {
  LifecycleStageCreateRequest,
  LifecycleStageResource,
  StatusTypeCreateRequest,
  StatusTypeResource,
} from './schema.ts'

const statusTypeSubject = recordSubject('status type', StatusType, presentStatusType)
const incidentStageSubject = recordSubject('lifecycle stage', LifecycleStage, presentStage, { kind: 'incident' })

export const listStatusTypes = operation({
  name: 'status_types.list',
  area: 'vocabulary',
  permission: 'read',
  summary: 'List status types, mildest first',
  input: z.strictObject({}),
  output: z.strictObject({ status_types: z.array(StatusTypeResource), total: z.int() }),
  run: async ({ tx }) => {
    const types = (await statusTypes(tx)).map(presentStatusType)
    return { status_types: types, total: types.length }
  },
})

export const getStatusType = operation({
  name: 'status_types.get',
  area: 'vocabulary',
  permission: 'read',
  summary: 'Get a status type',
  subject: statusTypeSubject,
  input: z.strictObject({}),
  output: StatusTypeResource,
  run: async (_ctx, _input, type) => presentStatusType(type),
})

export const createStatusType = operation({
  name: 'status_types.create',
  area: 'vocabulary',
  permission: 'write',
  summary: 'Create a status type',
  description: 'It becomes the most severe one.',
  input: StatusTypeCreateRequest,
  output: StatusTypeResource,
  run: async ({ tx, page, now }, input) => {
    const types = await statusTypes(tx)
    if (types.some((type) => type.key === input.key)) {
      throw new Problem('conflict', `There is a status type "${input.key}" already.`)
    }
    const type = tx.create(StatusType, {
      page_id: page.id,
      key: input.key,
      name: input.name,
      description: input.description,
      icon: input.icon,
      color: input.color,
      is_operational: false,
      archived: false,
      display_order: Math.max(0, ...types.map((t) => t.display_order)) + 1,
      version: 1,
      created_at: now,
      updated_at: now,
    })
    await tx.flush()
    return presentStatusType(type)
  },
})

export const listIncidentStages = operation({
  name: 'incident_stages.list',
  area: 'vocabulary',
  permission: 'read',
  summary: 'List the lifecycle stages of incidents, in order',
  input: z.strictObject({}),
  output: z.strictObject({ lifecycle_stages: z.array(LifecycleStageResource), total: z.int() }),
  run: async ({ tx }) => {
    const stages = (await stagesOf(tx, 'incident')).map(presentStage)
    return { lifecycle_stages: stages, total: stages.length }
  },
})

export const getIncidentStage = operation({
  name: 'incident_stages.get',
  area: 'vocabulary',
  permission: 'read',
  summary: 'Get a lifecycle stage of incidents',
  subject: incidentStageSubject,
  input: z.strictObject({}),
  output: LifecycleStageResource,
  run: async (_ctx, _input, stage) => presentStage(stage),
})

export const createIncidentStage = operation({
  name: 'incident_stages.create',
  area: 'vocabulary',
  permission: 'write',
  summary: 'Create a lifecycle stage of incidents',
  description: 'It is placed before the last one, which stays the stage of resolved incidents.',
  input: LifecycleStageCreateRequest,
  output: LifecycleStageResource,
  run: async ({ tx, page, now }, input) => {
    const stages = await stagesOf(tx, 'incident')
    if (stages.some((stage) => stage.name.toLowerCase() === input.name.toLowerCase())) {
      throw new Problem('conflict', `There is a lifecycle stage "${input.name}" already.`)
    }
    const last = stages.at(-1)
    const stage = tx.create(LifecycleStage, {
      page_id: page.id,
      kind: 'incident',
      name: input.name,
      description: input.description,
      color: input.color,
      display_order: last?.display_order ?? 1,
      is_default: stages.length === 0,
      archived: false,
      version: 1,
      created_at: now,
      updated_at: now,
    })
    if (last) last.display_order += 1
    await tx.flush()
    return presentStage(stage)
  },
})
