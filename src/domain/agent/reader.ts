import type { Actor, PageRef } from '../kernel/context.ts'
import { execute } from '../kernel/execute.ts'
import type { Services } from '../kernel/services.ts'
import type { ResponseContext } from './response-types.ts'

interface Options {
  page: PageRef
  actor: Actor
  /** Names the requests in the log. */
  requestId: string
  now: Date
  zone: string
}

/** The access of an answer: each read is an operation with the permissions of the token. */
export function openReader(services: Services, { requestId, ...options }: Options): ResponseContext {
  const { page, actor } = options
  return {
    ...options,
    async read(operation, { input = {}, ref } = {}) {
      if (operation.changes) throw new Error(`${operation.name} changes records: an answer only reads.`)
      const call = { page, actor, requestId, input, ...(ref ? { ref } : {}) }
      return (await execute(services, operation, call)).output as never
    },
  }
}
