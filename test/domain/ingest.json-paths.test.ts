import { expect, test } from '@jest/globals'
import { compilePath, nodesAt } from '../../src/domain/evaluation/json-paths.ts'

/** RFC 9535, as senders of events need it. */

const nodes = (path: string, document: unknown) => Array.from(nodesAt(path, document), ({ value }) => value)

const group = {
  status: 'firing',
  alerts: [
    { status: 'firing', labels: { severity: 'critical', 'the zone': 'eu' }, startsAt: 't1', endsAt: null, value: 12 },
    { status: 'resolved', labels: { severity: 'warning' }, startsAt: 't2', endsAt: 't3', value: 7.5 },
    { status: 'firing', labels: {}, startsAt: 't4', tags: ['a', 'b', 'c', 'd', 'e'] },
  ],
}
const tags = { t: ['a', 'b', 'c', 'd', 'e'] }

test.each<[string, unknown, unknown[]]>([
  ['$', 1, [1]],
  ['$.status', group, ['firing']],
  ["$['status']", group, ['firing']],
  ['$["status"]', group, ['firing']],
  ["$ ['alerts'] [0] .status", group, ['firing']],
  ['$.none', group, []],
  ['$.status.length', group, []],
  ['$.alerts.length', group, []],
  ['$.alerts[*].status', group, ['firing', 'resolved', 'firing']],
  ['$.alerts[1].status', group, ['resolved']],
  ['$.alerts[-1].startsAt', group, ['t4']],
  ['$.alerts[3]', group, []],
  ['$.alerts[-4]', group, []],
  ["$.alerts[0]['endsAt','startsAt']", group, [null, 't1']],
  ["$.alerts[1]['endsAt','startsAt']", group, ['t3', 't2']],
  ["$.alerts[2]['endsAt','startsAt']", group, ['t4']],
  ["$.alerts[0].labels['the zone']", group, ['eu']],
  ['$..severity', group, ['critical', 'warning']],
  ['$..status', group, ['firing', 'firing', 'resolved', 'firing']],
  ['$..[1]', { a: [1, 2, [3, 4]] }, [2, 4]],
  ['$..*', { a: { b: 1 } }, [{ b: 1 }, 1]],
  ['$.*', { a: 1, b: [2] }, [1, [2]]],
  ['$[*]', [1, null], [1, null]],
  ['$.*', 'text', []],
  ['$.t[1:3]', tags, ['b', 'c']],
  ['$.t[:2]', tags, ['a', 'b']],
  ['$.t[3:]', tags, ['d', 'e']],
  ['$.t[-2:]', tags, ['d', 'e']],
  ['$.t[::2]', tags, ['a', 'c', 'e']],
  ['$.t[::-1]', tags, ['e', 'd', 'c', 'b', 'a']],
  ['$.t[3:0:-2]', tags, ['d', 'b']],
  ['$.t[::0]', tags, []],
  ['$.t[5:1]', tags, []],
  ['$.t[0,0,-1]', tags, ['a', 'a', 'e']],
  ['$.t[0,2:4]', tags, ['a', 'c', 'd']],
  ["$.alerts[?@.status == 'firing'].startsAt", group, ['t1', 't4']],
  ['$.alerts[?@.status != "firing"].startsAt', group, ['t2']],
  ['$.alerts[?@.labels.severity].startsAt', group, ['t1', 't2']],
  ['$.alerts[?!@.labels.severity].startsAt', group, ['t4']],
  ['$.alerts[?@.endsAt == null].startsAt', group, ['t1']],
  ['$.alerts[?@.value > 8].startsAt', group, ['t1']],
  ['$.alerts[?@.value >= 7.5 && @.value < 1.2e1].startsAt', group, ['t2']],
  ["$.alerts[?@.value < 8 || @.labels.severity == 'critical'].startsAt", group, ['t1', 't2']],
  ["$.alerts[?!(@.status == 'firing' && @.value)].startsAt", group, ['t2', 't4']],
  ['$.alerts[?@.status == $.status].startsAt', group, ['t1', 't4']],
  ['$.alerts[?length(@.tags) > 4].startsAt', group, ['t4']],
  ['$.alerts[?count(@.labels.*) == 2].startsAt', group, ['t1']],
  ["$.alerts[?value(@..severity) == 'warning'].startsAt", group, ['t2']],
  ['$[?@ > 1]', { a: 1, b: 2, c: 3 }, [2, 3]],
  ['$[?@ == 1]', [1, '1', true, 1.0], [1, 1]],
  ["$[?@ < 'b']", ['a', 'b', 1], ['a']],
  ['$[?@.a == @.b]', [{}, { a: 1 }, { a: 1, b: 1 }, { a: [1], b: [1] }], [{}, { a: 1, b: 1 }, { a: [1], b: [1] }]],
  ['$[?@ == true]', [true, 'true', 1], [true]],
  ['$.ä', { ä: 1 }, [1]],
  ['$["\\u00e4","\\"","\\n"]', { ä: 1, '"': 2, '\n': 3 }, [1, 2, 3]],
  ["$['it\\'s']", { "it's": 1 }, [1]],
  ['$._a1', { _a1: 1 }, [1]],
])('the path %j finds in %j the nodes %j', (path, document, found) => {
  expect(nodes(path, document)).toEqual(found)
})

test.each([
  ...['', 'a', '.a', '@.a', '$a', '$.', '$..', '$.1', '$.a.', ' $', '$ ', '$.a b', '$. a', '$.. a'],
  ...['$[', '$[]', '$[a]', '$["a]', '$[01]', '$[-0]', '$[1.0]', '$[9007199254740992]', '$[1:2:3:4]', '$[0,]', '$[,0]'],
  ...['$["\n"]', '$["\\x41"]', '$["\\ud800"]', "$['\\\"']", '$[*', '$.*a', '$[?]', '$[?1]', '$[?true]', '$[?@.a = 1]'],
  ...['$[?@.a == ]', '$[?@.* == 1]', '$[?@..a == 1]', '$[?@[0,1] == 1]', '$[?(@.a]', '$[?@.a == 01]', '$[?@.a == 1.]'],
  ...['$[?@.a == .1]', '$[?@.a == True]', '$[?@.a == {}]', '$[?@.a == [1]]', '$[?@.a === 1]', '$[?!@.a == 1 &&]'],
  ...[
    '$[?length(@.a)]',
    '$[?length(@.*) > 1]',
    '$[?count(1) > 1]',
    '$[?unknown(@.a)]',
    '$[?length (@.a) > 1]',
    '$[?count(@.a, @.b) > 1]',
  ],
])('%j is refused', (path) => expect(() => compilePath(path)).toThrow())

test.each(['$[?match(@.a, "a")]', '$[?search(@.a, "a")]', '$[?!match(@, "a") && @]'])(
  '%s is refused, because its pattern would run on an engine that backtracks',
  (path) => expect(() => compilePath(path)).toThrow(/match|search/),
)

test('known difference from RFC 9535: a hyphen may be in a short name', () => {
  expect(nodes('$.a-b', { 'a-b': 1, a: 2 })).toEqual([1])
})
