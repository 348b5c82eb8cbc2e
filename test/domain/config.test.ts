import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { ConfigError, readConfig, unknownSettings } from '../../src/config.ts'

test('nothing has to be set', () => {
  expect(readConfig({})).toMatchObject({
    PORT: 3000,
    BASE_URL: 'http://localhost:3000/',
    DATA_DIR: resolve('data'),
    CACHE_DIR: join(homedir(), '.cache', 'upbeat'),
    TEMPORAL_NAMESPACE: 'upbeat',
    RATE_LIMITS: {
      public: 600,
      admin: 600,
      heartbeat: 600,
      ingest: 600,
      subscribe: 10,
      magic_link: 30,
      viewer_password: 10,
    },
    LOG_LEVEL: 'info',
    TRUST_PROXY: false,
  })
  expect(readConfig({}).DATABASE_URL).toBeUndefined()
})

test('what is empty is not set', () => {
  expect(readConfig({ PORT: '', BASE_URL: '', RATE_LIMITS: '', DATABASE_URL: '' })).toEqual(readConfig({}))
})

test('the base URL follows the port', () => {
  expect(readConfig({ PORT: '8080' }).BASE_URL).toBe('http://localhost:8080/')
  expect(readConfig({ PORT: '8080', BASE_URL: 'https://status.acme.com' }).BASE_URL).toMatch(
    /^https:\/\/status\.acme\.com/,
  )
})

test('the cache is in the cache directory of the system', () => {
  expect(readConfig({ XDG_CACHE_HOME: '/var/cache' }).CACHE_DIR).toBe('/var/cache/upbeat')
  expect(readConfig({ CACHE_DIR: 'here' }).CACHE_DIR).toBe(resolve('here'))
})

test('further own addresses are hosts with ports', () => {
  const OWN_ADDRESSES = 'temporal-ui:8080, [::1]:9464'
  expect(readConfig({ OWN_ADDRESSES }).OWN_ADDRESSES).toEqual([
    { host: 'temporal-ui', port: 8080 },
    { host: '[::1]', port: 9464 },
  ])
  expect(readConfig({}).OWN_ADDRESSES).toEqual([])
})

describe('rate limits', () => {
  test.each([
    ['off', 'off'],
    [
      'public=10',
      { public: 10, admin: 600, heartbeat: 600, ingest: 600, subscribe: 10, magic_link: 30, viewer_password: 10 },
    ],
    [
      'public=10,admin=20',
      { public: 10, admin: 20, heartbeat: 600, ingest: 600, subscribe: 10, magic_link: 30, viewer_password: 10 },
    ],
  ])('%s', (value, expected) => {
    expect(readConfig({ RATE_LIMITS: value }).RATE_LIMITS).toEqual(expected)
  })
})

test.each([
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['PORT', 'http'],
  ['BASE_URL', 'status.acme.com'],
  ['BASE_URL', 'ftp://acme.com'],
  ['RATE_LIMITS', 'none'],
  ['RATE_LIMITS', 'public=0'],
  ['RATE_LIMITS', 'public=many'],
  ['RATE_LIMITS', 'everybody=10'],
  ['OWN_ADDRESSES', 'temporal-ui'],
  ['OWN_ADDRESSES', 'http://temporal-ui:8080'],
  ['LOG_LEVEL', 'loud'],
  ['TRUST_PROXY', 'perhaps'],
  ['DATABASE_POOL', '0'],
  ['TEST_CRASH_AT', 'nowhere@2026-03-01T10:00:00Z'],
  ['TEST_CRASH_AT', 'entry written'],
])('%s=%s is refused in one sentence that names it', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
  expect(() => readConfig({ [name]: value })).toThrow(
    new RegExp(`^The environment variable ${name} must be .+, but is "${value}"\\.$`),
  )
})

test.each([
  ['PORT', 'abc', 'PORT must be a whole number from 1 to 65535, or 0 for any free port, but is "abc".'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, but is "loud".'],
  [
    'DATABASE_URL',
    'mysql://me:secret@db/x',
    'DATABASE_URL must be a URL like postgres://user:password@host:5432/database.',
  ],
  [
    'AGENT_BASE_URL',
    'https://me:secret@models/v1',
    'AGENT_BASE_URL must be a URL that begins with http:// or https:// and has no user name.',
  ],
  ['AGENT_API_KEY', 'sk-secret\n', 'AGENT_API_KEY must be a key of printable ASCII characters without spaces.'],
  ['ENCRYPTION_KEYS', 'secret', 'ENCRYPTION_KEYS must be keys of 32 bytes in base64, joined by commas.'],
])('a wrong %s is answered with what it must be, and a secret is not repeated', (name, value, sentence) => {
  expect(() => readConfig({ [name]: value })).toThrow(new ConfigError(`The environment variable ${sentence}`))
})

test.each([
  [{ AGENT_BASE_URL: 'http://localhost:11434/v1' }, 'AGENT_MODEL must be set too, because AGENT_BASE_URL is set.'],
  [{ AGENT_MODEL: 'small' }, 'AGENT_BASE_URL must be set too, because AGENT_MODEL is set.'],
])('a model needs its address and its name', (env, sentence) => {
  expect(() => readConfig(env)).toThrow(new ConfigError(`The environment variable ${sentence}`))
})

test.each([
  ['LOG_LEVL', 'LOG_LEVEL'],
  ['LOG_LEVELS', 'LOG_LEVEL'],
  ['DATABSAE_URL', 'DATABASE_URL'],
  ['BASE_URI', 'BASE_URL'],
  ['BEAT_TARGET', 'BEAT_TARGETS'],
])('%s was probably meant as %s', (name, meant) => {
  expect(unknownSettings({ [name]: 'x', [meant]: 'y' })).toEqual([
    `The environment variable ${name} is not a setting of Upbeat and has no effect: did you mean ${meant}?`,
  ])
})

test('a name that begins like a setting is none, and names of others are left alone', () => {
  const others = { PATH: '', HOME: '', PORTS: '', HOSTS: '', TEMPORAL_SERVICE_HOST: '', UPBEAT_PORT_3000_TCP: '' }
  expect(unknownSettings({ ...others, UPBEAT_PAGE: 'x' })).toEqual([
    'The environment variable UPBEAT_PAGE is not a setting of Upbeat and has no effect.',
  ])
})
