/** The beginning of a text, cut between two characters: half of a surrogate pair is nothing that can be stored. */
export const cut = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
