/**
 * How many transactions store at once. While one waits for the disk, the other one works: with one alone, deliveries kept their
 * slots until it was back, and half of the slots stood still.
 */
const AT_ONCE = 2

/** Stores items in few transactions: what arrives while others are being stored is stored together by the next. */
export function groupCommit<T>(save: (items: T[]) => Promise<void>): (item: T) => Promise<void> {
  let open: { items: T[]; done: PromiseWithResolvers<void> } | undefined
  let saving = 0

  async function run(): Promise<void> {
    saving += 1
    while (open) {
      const { items, done } = open
      open = undefined
      await save(items).then(done.resolve, done.reject)
    }
    saving -= 1
  }

  return (item) => {
    open ??= { items: [], done: Promise.withResolvers() }
    open.items.push(item)
    const { promise } = open.done
    if (saving < AT_ONCE) void run()
    return promise
  }
}
