import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { regionName } from './domain/beats/regions.ts'
import { crashPoints, parseCrash } from './domain/kernel/crash-points.ts'

const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback)
const days = z.coerce.number().int().min(1).max(3650)
const rate = z.coerce.number().int().min(1)

/** `off`, or what to change: `public=1200,admin=300`. */
const rateLimits = z
  .string()
  .default('')
  .transform((value, ctx) => {
    if (value === 'off') return 'off' as const
    const limits = { public: 600, admin: 600, heartbeat: 600 }
    for (const part of value.split(',').filter(Boolean)) {
      const [tier, count] = part.split('=')
      const parsed = rate.safeParse(count)
      if (!tier || !(tier in limits) || !parsed.success) {
        ctx.addIssue({ code: 'custom', message: 'must be off, or like public=1200,admin=300' })
        return z.NEVER
      }
      limits[tier as keyof typeof limits] = parsed.data
    }
    return limits
  })

const regions = z
  .string()
  .default('local')
  .transform((value) => value.split(',').map((name) => name.trim()))
  .refine(
    (names) => names.every((name) => regionName().safeParse(name).success) && new Set(names).size === names.length,
    'it must hold names like eu-west, each once, joined by commas',
  )

const KEY_BYTES = 32

function areKeys(value: string): boolean {
  return value.split(',').every((key) => Buffer.from(key.trim(), 'base64').length === KEY_BYTES)
}

const crash = z.string().transform((value, ctx) => {
  const parsed = parseCrash(value)
  if (parsed) return parsed
  ctx.addIssue({ code: 'custom', message: `must be a moment behind one of these and @: ${crashPoints.join(', ')}` })
  return z.NEVER
})

const environment = z.object({
  PORT: port(3000),
  HOST: z.string().default('0.0.0.0'),
  BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  BASE_DOMAIN: z.string().optional(),
  DATA_DIR: z.string().default('data'),
  CACHE_DIR: z.string().optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(10),
  TEMPORAL_ADDRESS: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().default('upbeat'),
  ENCRYPTION_KEYS: z.string().refine(areKeys, 'it must hold keys of 32 bytes in base64, joined by commas').optional(),
  BEAT_TARGETS: z.enum(['any', 'public']).default('any'),
  REGIONS: regions,
  RESULT_DAYS: days.default(7),
  AUDIT_DAYS: days.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: port(0),
  RATE_LIMITS: rateLimits,
  TRUST_PROXY: z.stringbool().default(false),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** For tests only: how long a minute of a reminder lasts. */
  TEST_MINUTE_MS: z.coerce.number().int().min(1).default(60_000),
  /** For tests only: where in a step, and from when on, the worker kills itself. */
  TEST_CRASH_AT: crash.optional(),
})

export type Config = ReturnType<typeof readConfig>

export class ConfigError extends Error {}

/** The environment, read once. Nothing else looks at it. */
export function readConfig(env: Record<string, string | undefined>) {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = environment.safeParse(set)
  if (!result.success) {
    const [issue] = result.error.issues
    throw new ConfigError(`The environment variable ${issue?.path.join('.')} is wrong: ${issue?.message}.`)
  }
  const { PORT, BASE_URL, CACHE_DIR, DATA_DIR, ...rest } = result.data
  return {
    ...rest,
    PORT,
    BASE_URL: BASE_URL ?? `http://localhost:${PORT}/`,
    DATA_DIR: resolve(DATA_DIR),
    CACHE_DIR: resolve(CACHE_DIR ?? join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'upbeat')),
  }
}
