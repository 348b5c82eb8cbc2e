import { Preset } from '../../../persistence/entities/preset.ts'
import type { StatusWords } from '../../../persistence/vocabulary.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { requireVariables } from '../../presets/checks.ts'
import type { Mutation } from '../../translations/schema.ts'
import { requireStatus, stagesOf, statusTypes } from '../../vocabulary/lookup.ts'
import { RESOLVED } from '../../vocabulary/rules.ts'
import { type ActionPolicies, type MessagePolicies, type PolicyStage, policyStages } from './policies.ts'

interface Said {
  action_policies?: ActionPolicies | null
  message_policies?: MessagePolicies | null
  message_policy_translations?: Mutation[]
}

/** What policies name is there. What the record names already may be there no more: it is no reason to refuse a change. */
export async function checkPolicies(ctx: Context, said: Said, kept: Said = {}): Promise<void> {
  if (said.action_policies) await checkActions(ctx, said.action_policies, kept.action_policies ?? {})
  if (said.message_policies) await checkMessages(ctx, said.message_policies, kept.message_policies ?? {})
  said.message_policy_translations?.forEach(({ values }, index) => {
    for (const [name, words] of Object.entries(values ?? {})) {
      const stage = policyStages.find((one) => name.startsWith(`${one}.`))!
      requireVariables(`message_policy_translations.${index}.values.${name}`, words, `synthetic_${stage}`)
    }
  })
}

async function checkActions({ tx }: Context, said: ActionPolicies, kept: ActionPolicies): Promise<void> {
  const types = await statusTypes(tx)
  const stages = (await stagesOf(tx, 'incident')).filter(({ archived }) => !archived)
  for (const stage of policyStages) {
    const { incident_status: status, lifecycle_stage_name: name } = said[stage] ?? {}
    const path = `action_policies.${stage}`
    requireSense(types, stage, said, kept)
    if (status !== undefined && !(stage === 'recovery' && status === RESOLVED)) {
      requireStatus(types, status, `${path}.incident_status`, kept[stage]?.incident_status)
    }
    const known = [...stages.map((one) => one.name), kept[stage]?.lifecycle_stage_name ?? '']
    if (name === undefined || known.some((one) => one.toLowerCase() === name.toLowerCase())) continue
    const choice = stages.map((one) => one.name).join(', ')
    const message = `"${name}" is not a lifecycle stage of this page; it has ${choice}`
    throw invalid([{ path: `${path}.lifecycle_stage_name`, message }])
  }
}

/** What would do nothing, or something else than it says, is refused rather than left without effect. */
function requireSense(types: StatusWords[], stage: PolicyStage, said: ActionPolicies, kept: ActionPolicies): void {
  const { incident_status: status, reopen_within_minutes: reopen } = said[stage] ?? {}
  const refuse = (field: string, message: string) => invalid([{ path: `action_policies.${stage}.${field}`, message }])
  const operational = types.some(({ key, is_operational }) => is_operational && key === status)
  if (stage !== 'recovery' && operational && status !== kept[stage]?.incident_status) {
    throw refuse('incident_status', `"${status}" is operational: an incident of this stage has a status that is not`)
  }
  if (stage === 'recovery' && reopen !== undefined && reopen !== kept.recovery?.reopen_within_minutes) {
    throw refuse('reopen_within_minutes', 'belongs to warning and critical: recovery opens nothing again')
  }
}

async function checkMessages({ tx }: Context, said: MessagePolicies, kept: MessagePolicies): Promise<void> {
  const named = policyStages.flatMap((stage) => said[stage]?.preset_message_id ?? [])
  const presets = new Map((await tx.find(Preset, { id: { $in: named } })).map((preset) => [preset.id, preset]))
  for (const stage of policyStages) {
    const { title, body, preset_message_id: id } = said[stage] ?? {}
    const path = `message_policies.${stage}`
    const category = `synthetic_${stage}` as const
    requireVariables(`${path}.title`, title, category)
    requireVariables(`${path}.body`, body, category)
    if (id === undefined || id === null || id === kept[stage]?.preset_message_id) continue
    const preset = presets.get(id)
    const refuse = (message: string) => invalid([{ path: `${path}.preset_message_id`, message }])
    if (!preset) throw refuse(`there is no preset message with id ${id} on this page`)
    if (preset.category !== category) {
      throw refuse(`the preset "${preset.title}" is for ${preset.category}; this takes ${category}`)
    }
  }
}
