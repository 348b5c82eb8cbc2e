import { Preset } from '../../../persistence/entities/preset.ts'
import type { StatusWords } from '../../../persistence/vocabulary.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { shortened } from '../../kernel/text-rules.ts'
import { requireVariables } from '../../presets/checks.ts'
import type { Mutation } from '../../translations/schema.ts'
import { requireStatus, stagesOf, statusTypes } from '../../vocabulary/lookup.ts'
import { RESOLVED } from '../../vocabulary/rules.ts'
import { type ActionPolicies, type MessagePolicies, type PolicyStage, policyStages } from './policies.ts'

interface Policies {
  action_policies?: ActionPolicies | null
  message_policies?: MessagePolicies | null
  message_policy_translations?: Mutation[]
}

/** Refuses policies that name missing records. A record that the stored policies name already may be missing. */
export async function checkPolicies(ctx: Context, requested: Policies, kept: Policies = {}): Promise<void> {
  if (requested.action_policies) await checkActions(ctx, requested.action_policies, kept.action_policies ?? {})
  if (requested.message_policies) await checkMessages(ctx, requested.message_policies, kept.message_policies ?? {})
  requested.message_policy_translations?.forEach(({ values }, index) => {
    for (const [name, words] of Object.entries(values ?? {})) {
      const stage = policyStages.find((one) => name.startsWith(`${one}.`))!
      requireVariables(`message_policy_translations.${index}.values.${name}`, words, `synthetic_${stage}`)
    }
  })
}

async function checkActions({ tx }: Context, requested: ActionPolicies, kept: ActionPolicies): Promise<void> {
  const types = await statusTypes(tx)
  const stages = (await stagesOf(tx, 'incident')).filter(({ archived }) => !archived)
  for (const stage of policyStages) {
    const { incident_status: status, lifecycle_stage_name: name } = requested[stage] ?? {}
    const path = `action_policies.${stage}`
    refuseWithoutEffect(types, stage, requested, kept)
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

/** Refuses fields that would have no effect in this stage, or the opposite effect. */
function refuseWithoutEffect(
  types: StatusWords[],
  stage: PolicyStage,
  requested: ActionPolicies,
  kept: ActionPolicies,
): void {
  const { incident_status: status, reopen_within_minutes: reopen } = requested[stage] ?? {}
  const refuse = (field: string, message: string) => invalid([{ path: `action_policies.${stage}.${field}`, message }])
  const operational = types.some(({ key, is_operational }) => is_operational && key === status)
  if (stage !== 'recovery' && operational && status !== kept[stage]?.incident_status) {
    throw refuse(
      'incident_status',
      `"${status}" is operational: an incident of this stage needs a status that is not operational`,
    )
  }
  if (stage === 'recovery' && reopen !== undefined && reopen !== kept.recovery?.reopen_within_minutes) {
    throw refuse('reopen_within_minutes', 'belongs to warning and critical: recovery reopens no incident')
  }
}

async function checkMessages({ tx }: Context, requested: MessagePolicies, kept: MessagePolicies): Promise<void> {
  const named = policyStages.flatMap((stage) => requested[stage]?.preset_message_id ?? [])
  const presets = new Map((await tx.find(Preset, { id: { $in: named } })).map((preset) => [preset.id, preset]))
  for (const stage of policyStages) {
    const { title, body, preset_message_id: id } = requested[stage] ?? {}
    const path = `message_policies.${stage}`
    const category = `synthetic_${stage}` as const
    requireVariables(`${path}.title`, title, category)
    requireVariables(`${path}.body`, body, category)
    if (id === undefined || id === null || id === kept[stage]?.preset_message_id) continue
    const preset = presets.get(id)
    const refuse = (message: string) => invalid([{ path: `${path}.preset_message_id`, message }])
    if (!preset) throw refuse(`there is no preset message with id ${id} on this page`)
    if (preset.category !== category) {
      throw refuse(
        `the preset "${shortened(preset.title)}" (${id}) has the category ${preset.category}, and this field needs ${category}`,
      )
    }
  }
}
