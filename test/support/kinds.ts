/** What runs whole services, and mostly waits: for leases that run out, for periods, for processes that start. */
const waiting = /\/test\/(faults|grid|lease|start)\/|\/test\/workflows\/(check-shard|series)\./

/** What changes a process for good, by exchanging a module of the service for instance. */
const own = /\/test\/checks\/redirect-guard\./

/** Files whose length says nothing about the time that they take: they compute for longest. */
const longest = /\/test\/(faults\/|api\/(fuzz|permissions)\b)/

export const takesLongest = (path: string) => longest.test(path)
export const waits = (path: string) => waiting.test(path)
export const needsOwnProcess = (path: string) => own.test(path)
