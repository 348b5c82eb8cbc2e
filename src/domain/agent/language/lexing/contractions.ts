/** Words that are written as one word. */
const whole: Record<string, string[]> = {
  "can't": ['can', 'not'],
  cant: ['can', 'not'],
  cannot: ['can', 'not'],
  "won't": ['will', 'not'],
  wont: ['will', 'not'],
  "let's": ['lets'],
  im: ['i', 'am'],
  ive: ['i', 'have'],
  youre: ['you', 'are'],
  theres: ['there', 'is'],
  gonna: ['going', 'to'],
  wanna: ['want', 'to'],
  gotta: ['have', 'to'],
  plz: ['please'],
  pls: ['please'],
  pl: ['please'],
  thx: ['thanks'],
  u: ['you'],
  r: ['are'],
  ur: ['your'],
  nevermind: ['never', 'mind'],
  're-open': ['reopen'],
  're-run': ['rerun'],
  're-schedule': ['reschedule'],
  're-opened': ['reopened'],
  'un-pause': ['unpause'],
}
const endings: Record<string, string[]> = {
  "'m": ['am'],
  "'re": ['are'],
  "'ve": ['have'],
  "'ll": ['will'],
  "'d": ['would'],
}
const asking = /^(what|who|how|where|when|why|that|there|it|here|he|she|everything|anything)$/
const negatable = /^(do|does|did|is|are|was|were|has|have|had|should|could|would|must)n'?t$/

/** The words of a written word: `what's` is `what is`, `don't` is `do not`, `incident-41` is `incident 41`. */
export function expand(word: string): string[] {
  if (Object.hasOwn(whole, word)) return whole[word]!
  const negated = negatable.exec(word)
  if (negated) return [negated[1]!, 'not']
  if (word.endsWith("'s")) return withS(word.slice(0, -2))
  const unmarked = /^(what|how|who|where)s$/.exec(word)
  if (unmarked) return [unmarked[1]!, 'is']
  for (const [ending, words] of Object.entries(endings)) {
    if (word.endsWith(ending)) return [word.slice(0, -ending.length), ...words]
  }
  const numbered = /^([a-z]+)-(\d+)$/.exec(word)
  return numbered ? [numbered[1]!, numbered[2]!] : [word]
}

const withS = (word: string): string[] => (asking.test(word) ? [word, 'is'] : [word])
