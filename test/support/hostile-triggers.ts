/** Triggers whose patterns and paths cost as much as the schemas accept, and a body that makes them expensive. */

type Fields = Record<string, unknown>

const conditions = (path: string, operator: string, value: unknown): Fields => ({
  conditions: { path, operator, value },
})
const pattern = (value: string) => conditions('$.text', 'regex', value)
const absent = (path: string) => conditions(path, 'equals', 'is nowhere')
const each = (each_path: string, more: Fields = {}): Fields => ({
  ...{ each_path, conditions: null, stage_mapping: { default_stage: 'warning' } },
  ...{ output_mapping: { summary_path: 'event.payload.text' }, ...more },
})

/** By kind, each with a size from 1 to 20. */
const kinds: ((size: number) => Fields)[] = [
  (size) => pattern(`(?i)\\pL{${size * 10}}x`),
  (size) => pattern(`(\\pL|\\d| ){1,${size * 10}}[x-z]!`),
  (size) => pattern(`(a|b)*a(a|b| ){${size * 10}}[de]!`),
  (size) => pattern(`(?i)(\\pL{1,5} ?){1,${size * 5}}\\d!`),
  (size) => absent(`$..[?search(@, "(a|b)*a(a|b| ){${size * 10}}[de]!") || match($.text, "(a|b| )*!")]`),
  (size) => pattern(`${'(a*){99}'.repeat(size)}!`),
  (size) => absent(`$..[?count($..*)<${size}]`),
  (size) => absent(`$.list[?count($..*) > count(@..*)]${'..*'.repeat(size % 4)}`),
  (size) => absent(`$${'..*'.repeat(size)}`),
  (size) => absent(`$.nested${'[0,0]'.repeat(size * 2)}`),
  (size) =>
    absent(
      `$..[${Array(size * 5)
        .fill('::-1')
        .join(',')}]`,
    ),
  (size) => absent(`$..['a'${",'a'".repeat(size * 10)}]`),
  (size) => each(`$.list${'[*,*]'.repeat(size % 5)}`),
  (size) => each('$..*', { output_mapping: { fingerprint_path: `$${'..*'.repeat(size)}` } }),
  (size) => ({ conditions: { any: Array(size * 5).fill({ path: '$..*', operator: 'regex', value: '(a|b)*a!' }) } }),
]

export const hostileTriggers = kinds.flatMap((kind) => Array.from({ length: 20 }, (_, index) => kind(index + 1)))

/** An event of almost 256 KiB. */
export const hostileEvent = (state: string) => ({
  ...{ state, alert: 'cpu' },
  text: Array.from({ length: 120_000 }, (_, index) => 'ab a'[(index * index) % 4]).join(''),
  list: Array.from({ length: 2500 }, (_, a) => ({ a, b: [a, { c: 'a' }] })),
  nested: JSON.parse(`${'['.repeat(45)}1,1${']'.repeat(45)}`),
  rest: Array(25_000).fill(0),
})
