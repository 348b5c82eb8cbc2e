import { isUpperCase, type Mention } from '../names/mentions.ts'
import { foundOf } from '../references/found.ts'
import { positionsOf, writtenWords } from '../text.ts'
import type { Found } from '../types.ts'
import type { Filling } from './filling.ts'

/** All items that a request names, in their order; or the item that a pronoun means. */
export function fillItems(filling: Filling) {
  const { text, clause, names, slots, used } = filling
  if (!names.has('items')) return
  const mentions = clause.mentions.filter(
    (mention) =>
      mention.name.kind === 'item' &&
      (mention.full || mention.score >= 0.4) &&
      mention.from !== clause.head &&
      !isPhrase(filling, mention),
  )
  const found = longestFirst(mentions).map((group) => ({
    from: group[0]!.from,
    item: foundOf(
      writtenWords(text, group[0]!),
      group.map(({ name }) => name),
    ),
  }))
  const items = found.sort((a, b) => a.from - b.from).map(({ item }) => item)
  const distinct = items.filter((item, index) => items.findIndex((one) => one === item || isSame(one, item)) === index)
  const remembered = distinct.length === 0 ? byPronoun(filling) : undefined
  if (remembered) slots.items = [remembered]
  else if (distinct.length > 0) slots.items = distinct
  for (const mention of mentions) for (const at of positionsOf(mention)) used.add(at)
}

/** The words that make the request, unless they are written in upper case. */
const isPhrase = ({ text, phrase }: Filling, mention: Mention) =>
  positionsOf(mention).every((at) => phrase.has(at) && !isUpperCase(text.tokens[at]!.text))

const isSame = (one: Found, other: Found) => 'id' in one && 'id' in other && one.id === other.id

/** Mentions of the same words together; a word belongs to the longest mention. */
function longestFirst(mentions: Mention[]): Mention[][] {
  const taken = new Set<number>()
  const sorted = [...mentions].sort(
    (a, b) => Number(b.full) - Number(a.full) || b.to - b.from - (a.to - a.from) || b.score - a.score,
  )
  return sorted.flatMap((mention) => {
    if (positionsOf(mention).some((at) => taken.has(at))) return []
    for (const at of positionsOf(mention)) taken.add(at)
    const isRival = ({ from, to, score, full }: Mention) =>
      from === mention.from && to === mention.to && score === mention.score && full === mention.full
    return [sorted.filter(isRival)]
  })
}

function byPronoun({ text, clause }: Filling): Found | undefined {
  const hasPronoun = clause.words.some((at) => /^(it|this|that|same)$/.test(text.tokens[at]!.word))
  return hasPronoun ? clause.context.find(({ kind }) => kind === 'item') : undefined
}
