import { expect, test } from '@jest/globals'
import type { EntityManager } from '@mikro-orm/postgresql'
import { identifier, joined, run, type Statement, sql } from '../../src/persistence/sql.ts'

const NOW = new Date('2026-03-02T10:00:00Z')
const open = sql`ended_at is null`
const ofPage = sql`page_id = ${7}`
const between = sql`at >= ${'from'} and at < ${'to'}`
const both = sql`(${ofPage} or ${between})`

const cases: [string, Statement, string, unknown[]][] = [
  ['no value', sql`select 1`, 'select 1', []],
  ['values', sql`a = ${1} and b = ${'x'}`, 'a = $1 and b = $2', [1, 'x']],
  ['a value at each end', sql`${1} < ${2}`, '$1 < $2', [1, 2]],
  ['adjacent values', sql`${1}${2}`, '$1$2', [1, 2]],
  ['a cast', sql`${NOW}::timestamptz`, '$1::timestamptz', [NOW]],
  ['null', sql`a = ${null}`, 'a = $1', [null]],
  ['an array is one parameter', sql`a = any(${[1, 2]})`, 'a = any($1)', [[1, 2]]],
  ['the same value twice is two parameters', sql`${5} + ${5}`, '$1 + $2', [5, 5]],
  ['a text is never part of the statement', sql`a = ${"' or 1 = 1; --"}`, 'a = $1', ["' or 1 = 1; --"]],
  ['a text that looks like a parameter', sql`a = ${'$2'} and b = ${1}`, 'a = $1 and b = $2', ['$2', 1]],
  ['a fragment without values', sql`select 1 where ${open}`, 'select 1 where ended_at is null', []],
  ['a fragment alone', sql`${open}`, 'ended_at is null', []],
  ['an empty fragment', sql`select 1${sql``} for update`, 'select 1 for update', []],
  ['a fragment before a value', sql`${ofPage} and b = ${8}`, 'page_id = $1 and b = $2', [7, 8]],
  ['a fragment after a value', sql`b = ${8} and ${ofPage}`, 'b = $1 and page_id = $2', [8, 7]],
  [
    'a fragment between values',
    sql`a = ${1} and ${between} and c = ${2}`,
    'a = $1 and at >= $2 and at < $3 and c = $4',
    [1, 'from', 'to', 2],
  ],
  ['a fragment twice', sql`${ofPage} or ${ofPage}`, 'page_id = $1 or page_id = $2', [7, 7]],
  [
    'fragments in fragments',
    sql`x = ${0} and ${both} limit ${9}`,
    'x = $1 and (page_id = $2 or at >= $3 and at < $4) limit $5',
    [0, 7, 'from', 'to', 9],
  ],
  ['a list', joined([sql`a`, ofPage, sql`${1}`]), 'a, page_id = $1, $2', [7, 1]],
  ['a list with words between', joined([open, ofPage], sql` and `), 'ended_at is null and page_id = $1', [7]],
  [
    'a list with a value between',
    joined([open, open], sql` or ${1} or `),
    'ended_at is null or $1 or ended_at is null',
    [1],
  ],
  ['a list of one', joined([ofPage]), 'page_id = $1', [7]],
  ['an empty list', joined([]), '', []],
  ['a list in a statement', sql`${1} in (${joined([2, 3].map((n) => sql`${n}`))})`, '$1 in ($2, $3)', [1, 2, 3]],
  ['a name', sql`select ${identifier('values')} from t`, 'select "values" from t', []],
  ['a name with a quote', identifier('a" from secret --'), '"a"" from secret --"', []],
]

test.each(cases)('%s', (_case, { text, parameters }, expectedText, expectedParameters) => {
  expect(text).toBe(expectedText)
  expect(parameters).toEqual(expectedParameters)
})

test('one template has one text, with the parameters of each use', () => {
  const find = (id: number) => sql`select 1 where id = ${id}`
  const [first, second] = [find(1), find(2)]
  expect(second.text).toBe(first.text)
  expect([first.parameters, second.parameters]).toEqual([[1], [2]])
})

test('one template has the text of the fragments of each use', () => {
  const find = (only: Statement) => sql`select 1 where ${only} and x = ${1}`
  const texts = [open, ofPage, open, ofPage].map((only) => find(only).text)
  const [opened, paged] = ['select 1 where ended_at is null and x = $1', 'select 1 where page_id = $1 and x = $2']
  expect(texts).toEqual([opened, paged, opened, paged])
})

test('one template takes a value or a fragment in the same place', () => {
  const find = (at: Statement | Date) => sql`select 1 where at < ${at}`
  expect([find(NOW), find(sql`now()`), find(NOW)].map(({ text }) => text)).toEqual([
    'select 1 where at < $1',
    'select 1 where at < now()',
    'select 1 where at < $1',
  ])
})

test('a statement cannot be changed', () => {
  const statement = sql`select ${1}`
  expect(() => Object.assign(statement, { text: 'drop table page' })).toThrow(TypeError)
  expect(() => (statement.parameters as unknown[]).push(2)).toThrow(TypeError)
  expect(() => (sql`select ${statement}`.parameters as unknown[]).push(2)).toThrow(TypeError)
})

test('what looks like a statement is a value', () => {
  const fromClient = JSON.parse('{"text": "drop table page", "parameters": []}')
  expect(sql`select ${fromClient}`).toMatchObject({ text: 'select $1', parameters: [fromClient] })
})

test('the compiler refuses anything else than a statement: without an error below, `npm run check` fails', () => {
  const em = {} as EntityManager
  const refused = [
    // @ts-expect-error A text is no statement.
    () => run(em, 'select 1'),
    // @ts-expect-error Only the tag makes statements.
    () => run(em, { text: 'select 1', parameters: [] }),
    // @ts-expect-error The tag takes no text.
    () => sql('select 1'),
    // @ts-expect-error A text joins no statements.
    () => joined([sql`a`, sql`b`], ' and '),
    // @ts-expect-error A record is passed as the text of its JSON.
    () => sql`${{ a: 1 }}`,
    // @ts-expect-error A missing value is null.
    () => sql`${undefined}`,
  ]
  expect(refused).toHaveLength(6)
})
