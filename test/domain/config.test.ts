import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { ConfigError, readConfig } from '../../src/config.ts'

test('nothing has to be set', () => {
  expect(readConfig({})).toMatchObject({
    PORT: 3000,
    BASE_URL: 'http://localhost:3000/',
    DATA_DIR: resolve('data'),
    CACHE_DIR: join(homedir(), '.cache', 'upbeat'),
    TEMPORAL_NAMESPACE: 'upbeat',
    RATE_LIMITS: { public: 600, admin: 600, heartbeat: 600 },
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

test('the cache stands where the system keeps caches', () => {
  expect(readConfig({ XDG_CACHE_HOME: '/var/cache' }).CACHE_DIR).toBe('/var/cache/upbeat')
  expect(readConfig({ CACHE_DIR: 'here' }).CACHE_DIR).toBe(resolve('here'))
})

describe('rate limits', () => {
  test.each([
    ['off', 'off'],
    ['public=10', { public: 10, admin: 600, heartbeat: 600 }],
    ['public=10,admin=20', { public: 10, admin: 20, heartbeat: 600 }],
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
  ['LOG_LEVEL', 'loud'],
  ['TRUST_PROXY', 'perhaps'],
  ['DATABASE_POOL', '0'],
  ['TEST_CRASH_AT', 'nowhere@2026-03-01T10:00:00Z'],
  ['TEST_CRASH_AT', 'entry written'],
])('%s=%s is refused in one sentence that names it', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^The environment variable ${name} is wrong: .+\\.$`))
})
