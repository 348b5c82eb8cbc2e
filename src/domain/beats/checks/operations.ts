import { z } from 'zod'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { CheckRequest } from '../../../persistence/entities/check-request.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, notFound, Problem } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../../kernel/paging.ts'
import { idInPath } from '../../kernel/schema.ts'
import { checkPolicies } from '../definition/policy-checks.ts'
import { regionName } from '../definition/regions.ts'
import { DEFAULT_INTERVAL_SECONDS, defaultTimeoutMs } from '../definition/rules.ts'
import { BeatCreateRequest } from '../definition/schema.ts'
import { beatSubject } from '../definition/subject.ts'
import { defaultRegion } from '../operations/new-beat.ts'
import { sealTarget } from '../targets/sealed-target.ts'
import { splitSecrets } from '../targets/split-secrets-rules.ts'
import { readTarget } from '../targets/target.ts'
import { compileTarget } from '../targets/target-programs.ts'
import { isReported } from '../types/index.ts'
import { answerOf, requestCheck, secretNameOfCheck } from './requests.ts'
import { CheckAnswer } from './schema.ts'

export const runBeat = operation({
  name: 'beats.run',
  area: 'beats',
  permission: 'write',
  summary: 'Check a beat now',
  description:
    'A worker of the region checks the beat, also a disabled one, and the result counts like that of any check. Answers `completed` with the result, or 202 and `accepted` if the check takes longer than a few seconds: `Location` is then the address of the answer.',
  subject: beatSubject,
  input: z.strictObject({ region: regionName().optional().describe('By default the first region of the beat') }),
  output: CheckAnswer,
  run: async (ctx, input, beat: Beat) => {
    if (isReported(beat.type)) throw reported(beat.type)
    const region = input.region ?? beat.regions[0]!
    if (!beat.regions.includes(region)) throw otherRegion(beat, region)
    return answerOf(await requestCheck(ctx, { beat_id: beat.id, region, asked: {} }))
  },
})

export const testBeat = operation({
  name: 'beats.test',
  area: 'beats',
  permission: 'write',
  summary: 'Check a beat that is not saved',
  description:
    'Takes the fields of a beat, and creates none: checks the target once, from the first region. With `threshold_policies`, `stage` is the stage of a beat with this one result.',
  input: BeatCreateRequest.partial({ name: true }),
  output: CheckAnswer,
  prepare: compileTarget,
  run: async (ctx, input) => {
    const { type, threshold_policies } = input
    if (isReported(type)) throw reported(type)
    await checkPolicies(ctx, input)
    const target = await readTarget(ctx, type, input.target as Record<string, unknown>)
    const timeout_ms = input.timeout_ms ?? defaultTimeoutMs(input.interval_seconds ?? DEFAULT_INTERVAL_SECONDS)
    const asked = { type, target: splitSecrets(target).shown, timeout_ms, threshold_policies }
    const request = await requestCheck(ctx, {
      beat_id: null,
      region: input.regions?.[0] ?? (await defaultRegion(ctx)),
      asked,
    })
    await sealTarget(ctx, secretNameOfCheck(request), target)
    return answerOf(request)
  },
})

const reported = (type: string) =>
  new Problem('conflict', `No worker checks a beat of the type ${type}: its stage comes from calls or events.`)

const otherRegion = ({ regions }: Beat, region: string) =>
  invalid([{ path: 'region', message: `must be a region of the beat (${regions.join(', ')}), and ${region} is not` }])

export const listChecks = operation({
  name: 'checks.list',
  area: 'beats',
  permission: 'read',
  summary: 'List the requested checks, newest first',
  description: 'The requested checks of the last day. The runs of a beat are all its checks.',
  input: z.strictObject({ beat_id: idInPath().optional(), ...pagingFields }),
  output: listOf('checks', CheckAnswer),
  run: async ({ tx }, { beat_id, limit, cursor }) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.bigId]))
    const only = beat_id === undefined ? {} : { beat_id }
    const behind = after ? { id: { $lt: after[0] } } : {}
    const rows = await tx.find(CheckRequest, { ...only, ...behind }, { orderBy: { id: 'desc' }, limit: limit + 1 })
    const page = pageOf(rows, limit, ({ id }) => [id])
    const total = await tx.count(CheckRequest, only)
    return { checks: page.rows.map(answerOf), total, next_cursor: page.next_cursor }
  },
})

export const getCheck = operation({
  name: 'checks.get',
  area: 'beats',
  permission: 'read',
  summary: 'Get the result of a requested check',
  input: z.strictObject({ check_id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
  output: CheckAnswer,
  run: async ({ tx }: Context, { check_id }) => {
    const request = await tx.findOne(CheckRequest, { id: check_id })
    if (!request) throw notFound('check')
    return answerOf(request)
  },
})
