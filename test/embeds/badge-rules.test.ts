import { describe, expect, test } from '@jest/globals'
import { Problem, type ProblemCode } from '../../src/domain/kernel/errors.ts'
import { badgeAddresses } from '../../src/embeds/badge.ts'
import { badgeSvg, badgeText } from '../../src/embeds/badge-rules.ts'

const badge = { label: 'status', message: 'Operational', color: '#2f9e44', style: 'flat', theme: 'light' } as const

const widthOf = (svg: string) => Number(/width="(\d+)"/.exec(svg)?.[1])

describe('the image', () => {
  test.each([
    ['iii', 'mmm'],
    ['a', '状態'],
    ['status', 'our status'],
  ])('%s is narrower than %s', (narrow, wide) => {
    expect(widthOf(badgeSvg({ ...badge, label: narrow }))).toBeLessThan(widthOf(badgeSvg({ ...badge, label: wide })))
  })

  test('an empty label leaves the message alone', () => {
    expect(badgeSvg({ ...badge, label: '  ' }).match(/<rect x=/g)).toHaveLength(1)
  })

  test.each([
    ['#ffffff', '#16191d'],
    ['#0b5cad', '#ffffff'],
  ])('the text on %s is %s', (color, ink) => {
    expect(badgeSvg({ ...badge, color })).toContain(`fill="${ink}" textLength`)
  })
})

test.each([
  ['a\nb\tc', 'a b c'],
  ['\u0000\u202eabc\u2066', 'abc'],
  ['\ud800', '\ufffd'],
  ['x'.repeat(200), `${'x'.repeat(59)}…`],
  ['😀'.repeat(80), `${'😀'.repeat(59)}…`],
])('the text %j becomes %j', (text, expected) => {
  expect(badgeText(text)).toBe(expected)
})

describe('when all else fails', () => {
  const [svg, json] = badgeAddresses
  const failed = (code: ProblemCode) => svg!.fallback!(new Problem(code, 'Something failed.'), {})

  test.each(['unavailable', 'internal', 'invalid_request'] as const)('%s is a badge with "unknown"', (code) => {
    expect(failed(code)).toMatchObject({
      type: 'image/svg+xml; charset=utf-8',
      body: expect.stringContaining('unknown'),
    })
  })

  test('a bug is one, too, in both formats', () => {
    expect(svg!.fallback!(new Error('A bug'), { label: 'shop' })?.body).toContain('shop: unknown')
    expect(JSON.parse(json!.fallback!(new Error('A bug'), {})!.body)).toMatchObject({ message: 'unknown' })
  })

  test.each(['not_found', 'viewer_auth_required'] as const)('%s is the error itself', (code) => {
    expect(failed(code)).toBeUndefined()
  })
})
