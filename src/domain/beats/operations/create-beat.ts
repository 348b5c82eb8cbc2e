import { Beat } from '../../../persistence/entities/beat.ts'
import { operation } from '../../kernel/operation.ts'
import { findRepeated } from '../../kernel/repeated.ts'
import { inList } from '../../kernel/text-rules.ts'
import { presentOne } from '../definition/presenter.ts'
import { BeatCreateRequest, BeatResource } from '../definition/schema.ts'
import { compileTarget } from '../targets/target-programs.ts'
import { reportedTypes } from '../types/index.ts'
import { beatDefaults, newBeat } from './new-beat.ts'

export const rulesInWords = `A beat needs a target of its type and, except for ${inList(reportedTypes)}, a warning_rule or a critical_rule; a rule that the checks can never meet is refused. A \`public_post\` in any stage needs mapped items or \`affected_items_freetext\`; public metrics need a mapped item.`

export const createBeat = operation({
  name: 'beats.create',
  makes: 'beat',
  area: 'beats',
  permission: 'write',
  summary: 'Create a beat',
  description: `${rulesInWords} With an \`external_id\` the request may be repeated: the same request answers 200 with the stored record and changes nothing.`,
  input: BeatCreateRequest,
  output: BeatResource,
  prepare: compileTarget,
  run: async (ctx, input) => {
    const stored = await findRepeated(ctx, Beat, 'beat', input, () => beatDefaults(ctx, input))
    return presentOne(ctx, stored ?? (await newBeat(ctx, input)))
  },
})
