export type Form = 'base' | 's' | 'past' | 'ing' | 'plural'

const irregular: Record<string, [past: string, ...others: string[]]> = {
  begin: ['began', 'begun'],
  break: ['broke', 'broken'],
  bring: ['brought'],
  come: ['came'],
  find: ['found'],
  get: ['got', 'gotten'],
  give: ['gave', 'given'],
  go: ['went', 'gone'],
  know: ['knew', 'known'],
  leave: ['left'],
  make: ['made'],
  put: ['put'],
  read: ['read'],
  reset: ['reset'],
  run: ['ran'],
  rerun: ['reran'],
  say: ['said'],
  see: ['saw', 'seen'],
  send: ['sent'],
  set: ['set'],
  take: ['took', 'taken'],
  tell: ['told'],
  unset: ['unset'],
  write: ['wrote', 'written'],
}
/** Verbs of one syllable at the end, whose last letter is doubled. */
const doubling = /(?:^|re)(?:[bcdfghjklmnpqrstvwxyz]+[aeiou][bdgmnpt])$/

export function verbForms(base: string): [string, Form][] {
  const others = irregular[base]
  const stem = doubling.test(base) ? base + base.at(-1) : base.endsWith('e') ? base.slice(0, -1) : base
  const past: string[] = others ?? [
    base.endsWith('y') && !/[aeiou]y$/.test(base) ? `${base.slice(0, -1)}ied` : `${stem}ed`,
  ]
  const british: [string, Form][] = base.endsWith('el')
    ? [
        [`${base}led`, 'past'],
        [`${base}ling`, 'ing'],
      ]
    : []
  return [
    [base, 'base'],
    [plural(base), 's'],
    ...past.map((form): [string, Form] => [form, 'past']),
    [`${stem}ing`, 'ing'],
    ...british,
  ]
}

export const nounForms = (base: string): [string, Form][] => [
  [base, 'base'],
  [plural(base), 'plural'],
]

function plural(base: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(base)) return `${base}es`
  return /[^aeiou]y$/.test(base) ? `${base.slice(0, -1)}ies` : `${base}s`
}

/** One form for the singular and the plural of a word in a name. */
export function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss') || word.endsWith('us') || word.endsWith('is'))
    return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  return /(?:x|ch|sh|ss)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}
