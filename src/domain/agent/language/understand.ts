import type { Situation, Understanding } from './types.ts'

export const understand = (query: string, situation: Situation): Understanding => {
  if (!query.startsWith('{')) return { kind: 'none', because: 'not_understood', unclear: [query] }
  void situation
  return { unclear: [], ...JSON.parse(query) }
}
