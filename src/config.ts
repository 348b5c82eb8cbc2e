import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { regionName } from './domain/beats/definition/regions.ts'
import { crashPoints, parseCrash } from './domain/kernel/crash-points.ts'
import { StartError } from './local/embedded/errors.ts'
import { readPlace } from './outbound/host-rules.ts'

/** The description of a variable is what its value must be, for the error of a wrong value. */
const within = (least: number, most: number) => z.coerce.number().int().min(least).max(most)
const port = (fallback: number) =>
  within(0, 65_535).default(fallback).describe('a whole number from 1 to 65535, or 0 for any free port')
const days = within(1, 3650)
const DAYS = 'a whole number of days from 1 to 3650'
const rate = z.coerce.number().int().min(1)

/** `off`, or changed limits: `public=1200,admin=300`. */
const rateLimits = z
  .string()
  .default('')
  .transform((value, ctx) => {
    if (value === 'off') return 'off' as const
    const limits = {
      public: 600,
      admin: 600,
      heartbeat: 600,
      ingest: 600,
      subscribe: 10,
      magic_link: 30,
      viewer_password: 10,
    }
    for (const part of value.split(',').filter(Boolean)) {
      const [tier, count] = part.split('=')
      const parsed = rate.safeParse(count)
      if (!tier || !(tier in limits) || !parsed.success) {
        ctx.addIssue({ code: 'custom' })
        return z.NEVER
      }
      limits[tier as keyof typeof limits] = parsed.data
    }
    return limits
  })
  .describe('off, or like public=1200,admin=300')

const regions = z
  .string()
  .default('local')
  .transform((value) => value.split(',').map((name) => name.trim()))
  .refine(
    (names) => names.every((name) => regionName().safeParse(name).success) && new Set(names).size === names.length,
  )
  .describe('names like eu-west, each once, joined by commas')

const addresses = z
  .string()
  .default('')
  .transform((value, ctx) => {
    const names = value
      .split(',')
      .map((place) => place.trim())
      .filter(Boolean)
    const places = names.map((place) => readPlace(place, 0))
    if (places.every((place) => place !== null && place.port > 0)) return places as { host: string; port: number }[]
    ctx.addIssue({ code: 'custom', message: 'must hold addresses like temporal-ui:8080, joined by commas' })
    return z.NEVER
  })

const KEY_BYTES = 32

function areKeys(value: string): boolean {
  return value.split(',').every((key) => Buffer.from(key.trim(), 'base64').length === KEY_BYTES)
}

const crash = z.string().transform((value, ctx) => {
  const parsed = parseCrash(value)
  if (parsed) return parsed
  ctx.addIssue({ code: 'custom' })
  return z.NEVER
})

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const environment = z.object({
  PORT: port(3000),
  HOST: z.string().default('0.0.0.0'),
  BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('a URL that begins with http:// or https://'),
  BASE_DOMAIN: z.string().optional(),
  DATA_DIR: z.string().default('data'),
  CACHE_DIR: z.string().optional(),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('a URL like postgres://user:password@host:5432/database'),
  DATABASE_POOL: within(1, 200).default(10).describe('a whole number from 1 to 200'),
  TEMPORAL_ADDRESS: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().default('upbeat'),
  ENCRYPTION_KEYS: z.string().refine(areKeys).optional().describe('keys of 32 bytes in base64, joined by commas'),
  OWN_ADDRESSES: addresses.describe('addresses like temporal-ui:8080, joined by commas'),
  BEAT_TARGETS: z.enum(['any', 'public']).default('any').describe('any or public'),
  REGIONS: regions,
  RESULT_DAYS: days.default(7).describe(DAYS),
  AUDIT_DAYS: days.optional().describe(DAYS),
  EVENT_DAYS: days.default(30).describe(DAYS),
  TURN_DAYS: days.default(90).describe(DAYS),
  NOTIFICATION_DAYS: days.default(90).describe(DAYS),
  NOTIFICATION_MAX_AGE_HOURS: within(1, 24 * 30)
    .default(24)
    .describe('a whole number of hours from 1 to 720'),
  PLAN_TTL_HOURS: within(1, 24 * 365)
    .default(24)
    .describe('a whole number of hours from 1 to 8760'),
  AGENT_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => URL.parse(url)?.username === '' && URL.parse(url)?.password === '')
    .optional()
    .describe('a URL that begins with http:// or https:// and has no user name'),
  AGENT_MODEL: z.string().max(200).optional().describe('the name of a model'),
  // Another character could not be in a header, and the error of the header would show the key.
  AGENT_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/)
    .optional()
    .describe('a key of printable ASCII characters without spaces'),
  INGEST_MAX_BYTES: within(1024, 16 * 1024 * 1024)
    .default(256 * 1024)
    .describe('a whole number of bytes from 1024 to 16777216'),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: port(0),
  RATE_LIMITS: rateLimits,
  SNAPSHOT_DIR: z.string().optional(),
  STREAMS_MAX: within(1, 1_000_000).default(20_000).describe('a whole number from 1 to 1000000'),
  STREAMS_PER_ADDRESS: within(1, 1_000_000).default(250).describe('a whole number from 1 to 1000000'),
  TRUST_PROXY: z.stringbool().default(false).describe('true or false'),
  LOG_LEVEL: z
    .enum(logLevels)
    .default('info')
    .describe(`one of ${logLevels.join(', ')}`),
  /** For tests only: how long a minute of a reminder lasts. */
  TEST_MINUTE_MS: rate.default(60_000).describe('a whole number above 0'),
  /** How long a worker may hang before its watchdog ends the worker: half the heartbeat timeout of a lease. For tests only. */
  TEST_WATCHDOG_MS: rate.default(5000).describe('a whole number above 0'),
  /** For tests only: the point in a step, and the time from which the worker kills itself there. */
  TEST_CRASH_AT: crash.optional().describe(`a moment behind one of these and @: ${crashPoints.join(', ')}`),
})

export type Config = ReturnType<typeof readConfig>

/** A wrong setting or argument; the message is the reason. */
export class ConfigError extends StartError {
  override name = 'ConfigError'
}

/** Variables whose values must not appear in error messages. */
const SECRETS = ['DATABASE_URL', 'ENCRYPTION_KEYS', 'AGENT_BASE_URL', 'AGENT_API_KEY']

function wrong(name: string, value: string | undefined): ConfigError {
  const { description = 'another value' } = environment.shape[name as keyof typeof environment.shape]
  const but = SECRETS.includes(name) ? '' : `, but is ${JSON.stringify(value)}`
  return new ConfigError(`The environment variable ${name} must be ${description}${but}.`)
}

/** Reads the environment once; no other code reads it. */
export function readConfig(env: Record<string, string | undefined>) {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = environment.safeParse(set)
  if (!result.success) {
    const name = String(result.error.issues[0]?.path[0])
    throw wrong(name, set[name])
  }
  requireTogether(result.data, 'AGENT_BASE_URL', 'AGENT_MODEL')
  const { PORT, BASE_URL, CACHE_DIR, DATA_DIR, ...rest } = result.data
  return {
    ...rest,
    PORT,
    BASE_URL: BASE_URL ?? `http://localhost:${PORT}/`,
    DATA_DIR: resolve(DATA_DIR),
    CACHE_DIR: resolve(CACHE_DIR ?? join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'upbeat')),
  }
}

function requireTogether(values: Record<string, unknown>, ...names: string[]): void {
  const missing = names.find((name) => values[name] === undefined)
  const given = names.find((name) => values[name] !== undefined)
  if (missing === undefined || given === undefined) return
  throw new ConfigError(`The environment variable ${missing} must be set too, because ${given} is set.`)
}

const PREFIXES = /^(UPBEAT|BEAT|TEMPORAL)_/
/** Kubernetes sets these for each service of a namespace. */
const OF_KUBERNETES = /_(SERVICE_(HOST|PORT)|PORT)(_|$)/
/** Too many other words differ from a shorter name by one letter. */
const SHORTEST = 6

/** One warning for each variable that looks like a misspelled setting. */
export function unknownSettings(env: Record<string, string | undefined>): string[] {
  const known = Object.keys(environment.shape)
  return Object.keys(env)
    .filter((name) => !known.includes(name) && !OF_KUBERNETES.test(name))
    .flatMap((name) => {
      const meant = known.find((one) => one.length >= SHORTEST && isOneEditAway(name, one))
      if (!meant && !PREFIXES.test(name)) return []
      const question = meant ? `: did you mean ${meant}?` : '.'
      return `The environment variable ${name} is not a setting of Upbeat and has no effect${question}`
    })
}

/** Whether one letter is missing, added or replaced, or two neighbouring letters are swapped. */
function isOneEditAway(one: string, other: string): boolean {
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  const [a, b] = [one.slice(start), other.slice(start)]
  return (
    a.slice(1) === b ||
    a === b.slice(1) ||
    a.slice(1) === b.slice(1) ||
    (a.slice(2) === b.slice(2) && a[0] === b[1] && a[1] === b[0])
  )
}
