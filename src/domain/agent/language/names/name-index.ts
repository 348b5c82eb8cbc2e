import { plain } from '../lexing/lexer.ts'
import type { NamedRecord, RecordKind, Situation } from '../types.ts'
import { speller, WordList } from '../words/distance.ts'
import { functionWords } from '../words/function-words.ts'
import { singular } from '../words/inflections.ts'

/** One name of a record: the name itself or an alias. */
export interface Name {
  kind: RecordKind
  record: NamedRecord
  words: string[]
  weights: number[]
  /** The sum of the weights. */
  total: number
}

/** Words that belong to more names than this are not enough to find one. */
const COMMON = 30
const COMPARED_WORDS = 120

/** All names of a situation by their words. One word in a query is looked up in constant time, typing errors within a budget. */
export interface NameIndex {
  /** Names that have a word, unless too many do. */
  having(word: string): Name[]
  /** Names that consist of these letters, spaces aside. */
  called(letters: string): Name[]
  /** The word or the letters of a name that are nearest, for a word with typing errors. */
  nearestWord(word: string): string | undefined
  nearestLetters(letters: string): string | undefined
  isCommon(word: string): boolean
  of(kind: RecordKind): readonly NamedRecord[]
}

export function nameIndex(situation: Situation): NameIndex {
  const records: Record<RecordKind, NamedRecord[]> = {
    item: situation.items,
    incident: situation.incidents,
    maintenance: situation.maintenances,
    series: situation.series,
    beat: situation.beats,
    beat_group: situation.beat_groups,
    action: situation.actions,
    endpoint: situation.endpoints,
  }
  const byWord = new Map<string, Name[]>()
  const byLetters = new Map<string, Name[]>()
  for (const [kind, list] of Object.entries(records) as [RecordKind, NamedRecord[]][]) {
    for (const record of list) {
      for (const text of [record.name, ...(record.aliases ?? [])]) {
        const name = nameOf(kind, record, text)
        if (name.words.length === 0) continue
        add(byLetters, name.words.join(''), name)
        for (const word of new Set(name.words)) add(byWord, word, name)
      }
    }
  }
  const [words, letters] = [new WordList(byWord.keys()), new WordList(byLetters.keys())]
  return {
    having: (word) => (isCommon(word) ? [] : (byWord.get(word) ?? [])),
    called: (key) => byLetters.get(key) ?? [],
    nearestWord: speller(words, COMPARED_WORDS),
    nearestLetters: speller(letters, COMPARED_WORDS),
    isCommon,
    of: (kind) => records[kind],
  }

  function isCommon(word: string) {
    return (byWord.get(word)?.length ?? 0) > COMMON
  }
}

function add(map: Map<string, Name[]>, key: string, name: Name) {
  const list = map.get(key)
  if (!list) map.set(key, [name])
  else if (list.at(-1)?.record !== name.record) list.push(name)
}

function nameOf(kind: RecordKind, record: NamedRecord, text: string): Name {
  const words = wordsOf(text)
  const weights = words.map((word) => (functionWords.has(word) ? 0.2 : 1))
  return { kind, record, words, weights, total: weights.reduce((sum, weight) => sum + weight, 0) }
}

/** The words of a name, in the singular. */
export const wordsOf = (text: string): string[] =>
  (plain(text.slice(0, 200)).match(/[\p{L}\p{N}]+/gu) ?? []).map(singular)
