import type { z } from 'zod'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { assignDefined } from '../../kernel/assign.ts'
import type { Context } from '../../kernel/context.ts'
import { requireVersion } from '../../kernel/errors.ts'
import { changedValues, resetValues } from '../../kernel/fields.ts'
import { operation } from '../../kernel/operation.ts'
import { rememberRequest } from '../../kernel/repeated.ts'
import { trackRevision } from '../../kernel/revise.ts'
import { translate } from '../../translations/write.ts'
import { beatConfigChanged, membersChanged } from '../changes/config-changed.ts'
import { switchChanges } from '../changes/switch-changes.ts'
import { mapComponents, noComponents } from '../definition/components.ts'
import { beatFields } from '../definition/fields.ts'
import { groupIdOf } from '../definition/group-reference.ts'
import { beatName } from '../definition/naming-rules.ts'
import { checkPolicies } from '../definition/policy-checks.ts'
import { presentOne } from '../definition/presenter.ts'
import { BeatPutRequest, BeatResource, BeatUpdateRequest } from '../definition/schema.ts'
import { beatSubject } from '../definition/subject.ts'
import { removeMemberById } from '../groups/incident-items.ts'
import { beginHeartbeat, forgetHeartbeat, rescheduleHeartbeat } from '../heartbeats/token.ts'
import { resumeReportedStage } from '../stage/open-fingerprints.ts'
import { changeTarget } from '../targets/target.ts'
import { compileTarget } from '../targets/target-programs.ts'
import { takesCalls } from '../types/index.ts'
import { rulesInWords } from './create-beat.ts'
import { beatDefaults, checkMappedItems, checkRules, newBeat, requireGroup } from './new-beat.ts'

type Input = z.output<typeof BeatUpdateRequest>

export const updateBeat = operation({
  name: 'beats.update',
  area: 'beats',
  permission: 'write',
  summary: 'Change a beat',
  description: `Checks use the change within a second. A target, a list and each of the policies is replaced as a whole. A request without a difference changes nothing. ${rulesInWords}`,
  subject: beatSubject,
  input: BeatUpdateRequest,
  output: BeatResource,
  prepare: compileTarget,
  run: async (ctx, input, beat) => {
    await change(ctx, beat, input)
    return presentOne(ctx, beat)
  },
})

export const putBeat = operation({
  name: 'beats.put',
  makes: 'beat',
  area: 'beats',
  permission: 'write',
  summary: 'Create or replace the beat with this external id',
  description: `Fields that the body leaves out get their defaults; the group, the switches (\`enabled\`, \`automation_paused\`, \`muted_until\`) and translations stay unless the body names them. A request without a difference changes nothing. ${rulesInWords}`,
  input: BeatPutRequest,
  output: BeatResource,
  prepare: compileTarget,
  run: async (ctx, input) => {
    const { external_id } = input
    const beat = await beatSubject.find(ctx, { external_id }, { lock: true })
    requireVersion(beat, input.version)
    if (!beat) {
      await rememberRequest(ctx, 'beat', input, () => beatDefaults(ctx, input))
      return presentOne(ctx, await newBeat(ctx, input))
    }
    ctx.revised()
    const reset = resetValues(beatFields, await beatDefaults(ctx, input))
    await change(ctx, beat, { ...reset, ...noComponents(input), ...input })
    return presentOne(ctx, beat)
  },
})

async function change(ctx: Context, beat: Beat, input: Input): Promise<void> {
  const revise = trackRevision(ctx, beatSubject, beat)
  const before = { groupId: beat.beat_group_id, type: beat.type, enabled: beat.enabled }
  await checkPolicies(ctx, input, beat)
  const targetChanged = await changeTarget(ctx, beat, input)
  const beat_group_id = await groupIdOf(ctx, input)
  if (beat_group_id !== before.groupId) await requireGroup(ctx, beat_group_id)
  const changed = { ...changedValues(beatFields, input), ...switchChanges(ctx, input, beat), beat_group_id }
  assignDefined(beat, changed)
  checkRules(beat, input)
  checkMappedItems(beat, await mapComponents(ctx, ['beat', beat.id], input), input.public_metrics_component_id)
  await translate(ctx, ['beat', beat.id], input.message_policy_translations)
  if (!revise()) return
  if (takesCalls(before.type) && !takesCalls(beat.type)) await forgetHeartbeat(ctx, beat)
  const isResumed = beat.enabled && !before.enabled
  if (isResumed) await resumeReportedStage(ctx, beat)
  if (isResumed) await beginHeartbeat(ctx, beat)
  else if (targetChanged) await rescheduleHeartbeat(ctx, beat)
  beatConfigChanged(ctx, beat, `a change of the ${beatName(beat)}`)
  const { groupId: left } = before
  if (left === beat.beat_group_id) return
  await membersChanged(ctx, [left, beat.beat_group_id])
  if (left !== null) await removeMemberById(ctx, left, beat, 'left the group')
}
