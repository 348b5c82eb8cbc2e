import { expect, test } from '@jest/globals'
import { isKept } from '../../src/web/answers/kept-reads-rules.ts'
import { warmPaths } from '../../src/web/warming/warm-paths-rules.ts'

const page = { publicSlug: 'acme', locales: ['de', 'pt-BR'], incidentIds: [12, 3] }

test('a page is read at each of its bases, first the front page and what else shows the state', () => {
  const paths = warmPaths({ ...page, bases: ['', '/status/acme'] })
  const state = ['/api/v1/pages/public/acme/summary', '/badge.svg', '/badge.json', '/embed.json', '/embed/frame']
  expect(paths.slice(0, 8)).toEqual(['/', '/?locale=de', '/?locale=pt-BR', ...state])
  for (const path of ['/incidents/12', '/status/acme', '/status/acme?locale=de', '/status/acme/incidents/3']) {
    expect(paths).toContain(path)
  }
  expect(paths).toContain('/api/v1/pages/public/acme/history?days=90')
  expect(new Set(paths).size).toBe(paths.length)
})

test('every read that is renewed is one that is stored', () => {
  const paths = warmPaths({ ...page, bases: ['', '/status/acme'] })
  expect(paths.filter((path) => !isKept(path.includes('?') ? path : `${path}?`))).toEqual([])
})
