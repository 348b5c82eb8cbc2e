import { z } from 'zod'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { canonical } from '../../kernel/canonical.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/parse.ts'
import { DEFAULT_INTERVAL_SECONDS } from '../definition/rules.ts'
import { type BeatType, isReported, targets } from '../types/index.ts'
import { openTarget, sealTarget, secretNameOf, withKnownSecrets } from './sealed-target.ts'
import { splitSecrets } from './split-secrets-rules.ts'
import { hiddenProblems, hostProblems, isElsewhere, ownPortProblems } from './target-rules.ts'

type Json = Record<string, unknown>

/** The target that a request says, if it may be checked from here; what is wrong with it is said by its field. */
export async function readTarget(ctx: Context, type: BeatType, said: Json): Promise<Json> {
  const hidden = hiddenProblems(said)
  if (hidden.length > 0) throw invalid(hidden)
  const { target } = parseInput(z.object({ target: targets[type] }), { target: said })
  const forbidden = [
    ...ownPortProblems(type, target, ctx.ownPorts),
    ...(ctx.beatTargets === 'public' ? hostProblems(type, target) : []),
  ]
  if (forbidden.length > 0) throw invalid(forbidden)
  if (type === 'ping' && !(await ctx.canPing())) {
    const message = 'there is no ping program on this machine: install one (Debian: iputils-ping), or use a tcp beat'
    throw invalid([{ path: 'type', message }])
  }
  return target
}

/** Gives a beat another type or target, if the request says any; what is said as it was read stays what it was. */
export async function changeTarget(
  ctx: Context,
  beat: Beat,
  said: { type?: BeatType; target?: object },
): Promise<boolean> {
  const { type = beat.type as BeatType, target } = said
  if (target === undefined && type === beat.type) return false
  const name = secretNameOf(beat)
  const stored = await openTarget(ctx.tx, ctx.keyring, name, beat.target)
  const wanted = target === undefined ? stored : await known(ctx, name, target as Json, stored)
  if (type === beat.type && canonical(wanted) === canonical(stored)) return false
  const whole = await readTarget(ctx, type, wanted)
  tellSecrets(ctx, stored, whole)
  beat.target_number += 1
  // What was seen of another type says nothing of this one, nor is there anything yet that does.
  if (type !== beat.type) Object.assign(beat, { unknown_since: ctx.now, unknown_because: 'its type is another now' })
  beat.type = type
  if (isReported(type)) beat.interval_seconds = DEFAULT_INTERVAL_SECONDS
  beat.target = await sealTarget(ctx, name, whole)
  return true
}

const known = async (ctx: Context, name: string, said: Json, stored: Json) =>
  isElsewhere(said, stored) ? said : withKnownSecrets(ctx, name, said)

/** The audit says which secrets are others now, and never what they are. */
function tellSecrets(ctx: Context, before: Json, after: Json): void {
  const [was, is] = [splitSecrets(before).secrets, splitSecrets(after).secrets]
  const changed = Object.keys({ ...was, ...is }).filter((path) => was[path] !== is[path])
  if (changed.length === 0) return
  const among = (secrets: Json) => changed.filter((path) => path in secrets)
  ctx.beside.before.target_secrets = among(was)
  ctx.beside.after.target_secrets = among(is).map((path) => `${path}: another`)
}
