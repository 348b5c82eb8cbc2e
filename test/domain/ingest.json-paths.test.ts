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

test.each([
  ['match(@, "a.c")', ['abc', 'xabcx', 'a\nc', 'a\rc', 'a\u2028c', 5, null, ['abc']], ['abc', 'a\u2028c']],
  ['search(@, "b+")', ['abbc', 'b', 'ac', 1], ['abbc', 'b']],
  ['match(@, "")', ['', 'a'], ['']],
  ['match(@, "^ab.*")', ['ab', 'abc', 'xab'], ['ab', 'abc']],
  ['search(@, "c$")', ['abc', 'cab'], ['abc']],
  ['match(@, "[[:alpha:].]+")', ['a.b', 'a1'], ['a.b']],
  ['match(@, "[.]\\\\.")', ['..', 'a.', '.b'], ['..']],
  ['match(@, "\\\\p{Lu}.")', ['Äx', 'A😀', 'ax', 'AB1'], ['Äx', 'A😀']],
  ['!search(@, "a")', ['a', 'b', 1], ['b', 1]],
  ['search(@, "(")', ['(', 'a'], []],
  ['search(@, 5)', ['5'], []],
  ['search(@, "a(?=b)")', ['ab'], []],
  ['search(@, "(((a{100}){100}){100})")', ['a'], []],
])('%s of %j holds for %j', (condition, values, found) => {
  expect(nodes(`$[?${condition}]`, values)).toEqual(found)
})

test('the pattern may be in the document', () => {
  const document = { pattern: 'b.d', words: ['bcd', 'bc', 'abcd'] }
  expect(nodes('$.words[?match(@, $.pattern)]', document)).toEqual(['bcd'])
  expect(nodes('$.words[?search(@, $.pattern)]', document)).toEqual(['bcd', 'abcd'])
})

test('a pattern that would hold an engine that backtracks for ever is quick', () => {
  expect(nodes('$[?match(@, "(a+)+")]', [`${'a'.repeat(50_000)}b`])).toEqual([])
})

test.each(['$[?match(@.a)]', '$[?search(@.a, "a") == true]', '$[?match(@.*, "a")]'])(
  '%s is refused, because it uses a function wrongly',
  (path) => expect(() => compilePath(path)).toThrow(),
)

test('known difference from RFC 9535: a hyphen may be in a short name', () => {
  expect(nodes('$.a-b', { 'a-b': 1, a: 2 })).toEqual([1])
})
