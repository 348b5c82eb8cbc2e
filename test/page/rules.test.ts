import { describe, expect, test } from '@jest/globals'
import { sentenceOf } from '../../src/domain/pages/summary/sentence-rules.ts'
import { labels, nest, stateOf, worstFirst } from '../../src/domain/pages/summary/state-rules.ts'
import { labelsFor } from '../../src/languages/labels.ts'
import { isCalm, isFoldable } from '../../src/page/home/rules.ts'
import { foldNames, timelineOf } from '../../src/page/records/fold-rules.ts'
import { affected, incident, itemsOf, types } from './samples.ts'

/** The state with its sentence. */
function shown(facts: Parameters<typeof stateOf>[0] & { status_types: typeof types }, language = 'en') {
  const state = stateOf(facts)
  return { status: state.status, sentence: sentenceOf(state, facts.status_types, labelsFor(language)) }
}

const shop = (...lines: string[]) => itemsOf('Shop: major_outage', ...lines.map((line) => `Shop > ${line}`))

describe('the state in one sentence', () => {
  test.each([
    ['an empty page', [], 'All systems are operational.'],
    ['all is well', ['Search', 'Checkout'], 'All systems are operational.'],
    ['a status that the page does not know', ['Search: forgotten'], 'All systems are operational.'],
    ['one item', ['Search', 'Checkout: major_outage'], 'Major outage of Checkout.'],
    ['two items', ['Search: major_outage', 'Checkout: major_outage'], 'Major outage of Search and Checkout.'],
    ['three items', ['Search: degraded', 'Web: degraded', 'API: degraded'], 'Degraded: Search and 2 more.'],
    ['work that is planned', ['Search: maintenance'], 'Maintenance of Search.'],
    ['the worst only', ['Search: degraded', 'Web: maintenance', 'API: major_outage'], 'Major outage of API.'],
  ])('%s', (_case, lines, sentence) => {
    expect(
      shown({ status_types: types, items: itemsOf(...lines), open_incidents: [], active_maintenances: [] }).sentence,
    ).toBe(sentence)
  })

  test.each([
    ['a part of a group is named, not the group', shop('Web', 'Cards: major_outage'), 'Cards'],
    ['a group that is down as a whole is named', shop('Web: major_outage', 'Cards: major_outage'), 'Shop'],
    ['an only child is more precise than its parent', shop('Cards: major_outage'), 'Cards'],
    ['a group that is down by itself is named', shop('Web', 'Cards'), 'Shop'],
    ['a milder child says nothing', shop('Web: degraded', 'Cards: degraded'), 'Shop'],
    [
      'groups that are each down in part',
      shop('A: major_outage', 'A > 1: major_outage', 'A > 2', 'B: major_outage', 'B > 3: major_outage', 'B > 4'),
      '1 and 3',
    ],
    [
      'the same name twice says whose it is',
      itemsOf('EU: major_outage', 'EU > API: major_outage', 'US: major_outage', 'US > API: major_outage'),
      'API (EU) and API (US)',
    ],
  ])('in the tree, %s', (_case, items, named) => {
    const { sentence } = shown({ status_types: types, items, open_incidents: [], active_maintenances: [] })
    expect(sentence).toBe(`Major outage of ${named}.`)
  })

  const items = shop('Web', 'Cards: major_outage')
  const [group, , cards] = items
  test.each([
    ['without items still counts', [], [incident({ status: 'major_outage' })], 'Major outage.'],
    ['without items, and all is well else', itemsOf('Search'), [incident()], 'Degraded.'],
    ['that is milder than an item', itemsOf('Search: major_outage'), [incident()], 'Major outage of Search.'],
    [
      'whose status is operational',
      itemsOf('Search'),
      [incident({ status: 'operational' })],
      'All systems are operational.',
    ],
    [
      'names the group that it is about',
      items,
      [incident({ status: 'major_outage', affected_items: affected(group!, cards!) })],
      'Major outage of Shop.',
    ],
    [
      'that is milder than its group names nothing',
      items,
      [incident({ affected_items: affected(group!) })],
      'Major outage of Cards.',
    ],
  ])('an open incident %s', (_case, items, open_incidents, sentence) => {
    expect(shown({ status_types: types, items, open_incidents, active_maintenances: [] }).sentence).toBe(sentence)
  })

  test.each([
    ['downtime', 'Downtime of Search.'],
    ['Degraded performance', 'Degraded performance of Search.'],
    ['Under attack', 'Under attack: Search.'],
  ])('a page may call a status %s', (name, sentence) => {
    const own = types.map((type) => (type.key === 'degraded' ? { ...type, name } : type))
    const state = shown({
      status_types: own,
      items: itemsOf('Search: degraded'),
      open_incidents: [],
      active_maintenances: [],
    })
    expect(state).toEqual({ status: 'degraded', sentence })
  })
})

test.each([
  ['en', [], 'All systems shown here are operational.'],
  ['de', [], 'Alle hier gezeigten Systeme sind in Betrieb.'],
  ['en', ['Search: major_outage'], 'Major outage of Search.'],
])('in %s, a part of the page speaks of itself: %j', (language, lines, sentence) => {
  const facts = { status_types: types, items: itemsOf(...lines), open_incidents: [], active_maintenances: [] }
  expect(sentenceOf({ ...stateOf(facts), isPart: true }, types, labelsFor(language))).toBe(sentence)
})

test('incidents are ordered by their status, the worst first, and stay in their order otherwise', () => {
  const statuses = ['operational', 'forgotten', 'degraded', 'major_outage', 'operational', 'major_outage']
  const reports = statuses.map((status, id) => ({ id, status }))
  expect(worstFirst(reports, types).map(({ id }) => id)).toEqual([3, 5, 2, 0, 4, 1])
})

describe('the state in the language of the reader', () => {
  const lines = ['Search: major_outage', 'Web: major_outage', 'API: major_outage']
  test.each([
    ['de', [], 'Alle Systeme sind in Betrieb.'],
    ['de', lines.slice(0, 1), 'Größerer Ausfall bei Search.'],
    ['de-AT', lines, 'Größerer Ausfall bei Search und 2 weiteren.'],
    ['de', ['Search: degraded'], 'Beeinträchtigt: Search.'],
    ['fr', ['Search: degraded'], 'Dégradé : Search.'],
    ['es', lines.slice(0, 2), 'Interrupción grave en Search y Web.'],
    ['pt', lines, 'Interrupção grave em Search e mais 2.'],
    ['ja', lines.slice(0, 2), 'Search、Web：大規模障害。'],
    ['ar', lines.slice(0, 1), 'انقطاع كبير في Search.'],
    ['xx', lines.slice(0, 1), 'Major outage of Search.'],
  ])('%s: %j', (language, words, sentence) => {
    const facts = { status_types: types, items: itemsOf(...words), open_incidents: [], active_maintenances: [] }
    expect(shown(facts, language).sentence).toBe(sentence)
  })

  test('a name that the page has given is not translated', () => {
    const own = types.map((type) => (type.key === 'major_outage' ? { ...type, name: 'outage' } : type))
    const facts = { items: itemsOf('Search: major_outage'), open_incidents: [], active_maintenances: [] }
    expect(shown({ ...facts, status_types: own }, 'de').sentence).toBe('Outage: Search.')
  })

  test('an incident without items has the name of its status', () => {
    const open_incidents = [incident({ status: 'major_outage' })]
    const facts = { status_types: types, items: [], open_incidents, active_maintenances: [] }
    expect(shown(facts, 'ja').sentence).toBe('大規模障害。')
  })
})

describe('the tree', () => {
  test('the tree is in display order for any order of rows', () => {
    const items = itemsOf('B', 'B > 2', 'B > 1', 'A').map((item) => ({ ...item, display_order: -item.id }))
    const names = nest(items).map(({ item, children }) => [item.name, children.map((child) => child.item.name)])
    expect(names).toEqual([
      ['A', []],
      ['B', ['1', '2']],
    ])
  })

  test('shows an item whose parent is missing at the top', () => {
    const [orphan] = itemsOf('A')
    expect(nest([{ ...orphan!, parent_id: 99 }])).toHaveLength(1)
  })

  test('counts what is below an item at any depth', () => {
    expect(nest(itemsOf('A', 'A > B', 'A > B > C', 'A > D'))[0]!.size).toBe(3)
  })

  const group = (size: number, status = 'operational') =>
    nest(itemsOf('A', ...Array.from({ length: size }, (_, n) => `A > ${n}: ${n === 0 ? status : 'operational'}`)))[0]!
  test.each([
    [8, false, false],
    [9, false, true],
    [2, true, false],
    [3, true, true],
  ])('with %i below, inside a folded group: %s, folds: %s', (size, inside, folds) => {
    expect(isFoldable(group(size), inside)).toBe(folds)
  })

  test.each([
    ['operational', true],
    ['maintenance', false],
    ['forgotten', false],
  ])('with a child that is %s is calm: %s', (status, calm) => {
    expect(isCalm(group(3, status), types)).toBe(calm)
  })
})

test('a name that is not unique gets its path', () => {
  const items = itemsOf('EU', 'EU > API', 'US', 'US > API')
  const label = labels(items)
  expect(label(items[0]!)).toBe('EU')
  expect(label(items[1]!)).toBe('API (EU)')
  expect(label({ ...items[1]!, hierarchy_path: 'EU / API' })).toBe('EU / API')
  expect(label({ id: 99, name: 'Gone' })).toBe('Gone')
})

test.each([
  [0, 0, 0, 0],
  [5, 5, 0, 0],
  [6, 5, 1, 0],
  [130, 5, 95, 30],
])('of %i updates %i are shown, %i folded away and %i left out', (count, newest, older, left) => {
  const parts = timelineOf(Array.from({ length: count }, (_, n) => n))
  expect([parts.newest.length, parts.older.length, parts.left]).toEqual([newest, older, left])
})

test('the first twelve names are shown at once', () => {
  const { shown, folded } = foldNames(Array.from({ length: 14 }, (_, n) => n))
  expect([shown.length, folded]).toEqual([12, [12, 13]])
})
