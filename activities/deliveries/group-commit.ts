/** Stores items in as few transactions as possible: what arrives during one transaction is stored together by the next. */
export function groupCommit<T>(save: (items: T[]) => Promise<void>): (item: T) => Promise<void> {
  let open: { items: T[]; done: PromiseWithResolvers<void> } | undefined
  let saving = false

  async function run(): Promise<void> {
    saving = true
    while (open) {
      const { items, done } = open
      open = undefined
      // The next transaction begins before those that waited go on: they send the next messages, which takes longer.
      await save(items).then(() => void setImmediate(done.resolve), done.reject)
    }
    saving = false
  }

  return (item) => {
    open ??= { items: [], done: Promise.withResolvers() }
    open.items.push(item)
    const { promise } = open.done
    if (!saving) void run()
    return promise
  }
}
