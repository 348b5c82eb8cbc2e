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
import { answerOf, askForCheck, secretNameOfCheck } from './requests.ts'
import { CheckAnswer } from './schema.ts'

export const runBeat = operation({
  name: 'beats.run',
  area: 'beats',
  permission: 'write',
  summary: 'Check a beat now',
  description:
    'A real check by a worker of the region, which counts like any other; it needs no beat that is enabled. Answers `completed` with what it saw, or 202 and `accepted` if that takes longer than a few seconds: `Location` then says where the answer will be.',
  subject: beatSubject,
  input: z.strictObject({ region: regionName().optional().describe("The first of the beat's regions unless set") }),
  output: CheckAnswer,
  run: async (ctx, input, beat: Beat) => {
    if (isReported(beat.type)) throw reported(beat.type)
    const from = input.region ?? beat.regions[0]!
    if (!beat.regions.includes(from)) throw foreign(beat, from)
    return answerOf(await askForCheck(ctx, { beat_id: beat.id, region: from, asked: {} }))
  },
})

export const testBeat = operation({
  name: 'beats.test',
  area: 'beats',
  permission: 'write',
  summary: 'Check a beat that is not saved',
  description:
    'Takes what would make a beat, and makes none: its target is checked once, from the first of its regions. With `threshold_policies`, `stage` is the one that such a result alone would put it in.',
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
    const request = await askForCheck(ctx, {
      beat_id: null,
      region: input.regions?.[0] ?? (await defaultRegion(ctx)),
      asked,
    })
    await sealTarget(ctx, secretNameOfCheck(request), target)
    return answerOf(request)
  },
})

const reported = (type: string) =>
  new Problem('conflict', `A beat of the type ${type} is reported by the other side: it cannot be run.`)

const foreign = ({ regions }: Beat, from: string) =>
  invalid([{ path: 'region', message: `the beat is checked from ${regions.join(', ')}, and not from ${from}` }])

export const listChecks = operation({
  name: 'checks.list',
  area: 'beats',
  permission: 'read',
  summary: 'List the checks that were asked for, newest first',
  description: 'Those of the last day. All checks of a beat are its runs.',
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
  summary: 'Get what a check that was asked for has seen',
  input: z.strictObject({ check_id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
  output: CheckAnswer,
  run: async ({ tx }: Context, { check_id }) => {
    const request = await tx.findOne(CheckRequest, { id: check_id })
    if (!request) throw notFound('check')
    return answerOf(request)
  },
})
