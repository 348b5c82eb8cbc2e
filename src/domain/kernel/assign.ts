/** Sets the fields that a request names; null clears a field, an absent field stays. */
export function assignDefined<T extends object>(record: T, fields: { [K in keyof T]?: T[K] | undefined }): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) Object.assign(record, { [name]: value })
  }
}

/** A text that a request clears with null becomes empty, for columns without null. */
export const cleared = <T extends string | undefined>(value: T | null) => (value === null ? '' : value)
