import { z } from 'zod'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { canonical } from '../../kernel/canonical.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/parse.ts'
import { DEFAULT_INTERVAL_SECONDS } from '../definition/rules.ts'
import { type BeatType, checkedDescriptionOf, descriptionOf, isReported } from '../types/index.ts'
import { hostProblems, ownPortProblems } from './forbidden-places.ts'
import { openTarget, sealTarget, secretNameOf, withKnownSecrets } from './sealed-target.ts'
import { splitSecrets } from './split-secrets-rules.ts'
import { hiddenProblems, isElsewhere } from './target-rules.ts'

type Json = Record<string, unknown>

/** Validates the target of a request; throws the problems of each field. */
export async function readTarget(ctx: Context, type: BeatType, requested: Json): Promise<Json> {
  const hidden = hiddenProblems(requested)
  if (hidden.length > 0) throw invalid(hidden)
  const { target } = parseInput(z.object({ target: descriptionOf(type).target }), { target: requested })
  const forbidden = [
    ...ownPortProblems(type, target, ctx.services.ownPorts),
    ...(ctx.services.beatTargets === 'public' ? hostProblems(type, target) : []),
  ]
  if (forbidden.length > 0) throw invalid(forbidden)
  const program = checkedDescriptionOf(type)?.program
  if (program && !(await ctx.services.hasProgram(program.name))) {
    throw invalid([{ path: 'type', message: program.missing }])
  }
  return target as Json
}

/** Changes the type or the target of a beat if the request differs. Returns whether the target has changed. */
export async function changeTarget(
  ctx: Context,
  beat: Beat,
  request: { type?: BeatType; target?: object },
): Promise<boolean> {
  const { type = beat.type as BeatType, target } = request
  if (target === undefined && type === beat.type) return false
  const name = secretNameOf(beat)
  const stored = await openTarget(ctx.tx, ctx.services.keyring, name, beat.target)
  const wanted = target === undefined ? stored : await withKnownSecretsOf(ctx, name, target as Json, stored)
  if (type === beat.type && canonical(wanted) === canonical(stored)) return false
  const whole = await readTarget(ctx, type, wanted)
  auditSecrets(ctx, stored, whole)
  beat.target_number += 1
  // Results of the earlier type do not count, and the new type has no results yet.
  if (type !== beat.type) {
    Object.assign(beat, {
      unknown_since: ctx.now,
      unknown_because: `the type was changed from ${beat.type} to ${type}`,
    })
  }
  beat.type = type
  if (isReported(type)) beat.interval_seconds = DEFAULT_INTERVAL_SECONDS
  beat.target = await sealTarget(ctx, name, whole)
  return true
}

const withKnownSecretsOf = async (ctx: Context, name: string, requested: Json, stored: Json) =>
  isElsewhere(requested, stored) ? requested : withKnownSecrets(ctx, name, requested)

/** Adds the paths of changed secrets to the audit row, never their values. */
function auditSecrets(ctx: Context, before: Json, after: Json): void {
  const [was, is] = [splitSecrets(before).secrets, splitSecrets(after).secrets]
  const changed = Object.keys({ ...was, ...is }).filter((path) => was[path] !== is[path])
  if (changed.length === 0) return
  const changedIn = (secrets: Json) => changed.filter((path) => path in secrets)
  ctx.auditExtras.before.target_secrets = changedIn(was)
  ctx.auditExtras.after.target_secrets = changedIn(is).map((path) => `${path}: changed`)
}
