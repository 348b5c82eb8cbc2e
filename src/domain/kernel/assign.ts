/** Sets those fields that a request said something about; null clears, absent leaves alone. */
export function assignDefined<T extends object>(record: T, fields: { [K in keyof T]?: T[K] | undefined }): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) Object.assign(record, { [name]: value })
  }
}

/** What a text becomes that a request clears although a record always has one: empty. */
export const cleared = <T extends string | undefined>(said: T | null) => (said === null ? '' : said)
