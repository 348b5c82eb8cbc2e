import { z } from 'zod'
import { operation } from '../kernel/operation.ts'
import { mayDo } from '../kernel/permissions.ts'
import { showsOnce } from './plans/draft-steps.ts'
import { MAX_STEPS } from './plans/schema.ts'
import { directives, outcomes } from './turns/schema.ts'

const Capabilities = z
  .strictObject({
    version: z.literal(1),
    surfaces: z.array(z.string()),
    outcomes: z.array(z.enum(outcomes)),
    transport_directives: z.array(z.enum(directives)),
    languages: z.array(z.string()),
    planner: z.enum(['rules', 'model']),
    operations: z
      .array(
        z.strictObject({
          name: z.string(),
          area: z.string(),
          permission: z.string(),
          effect: z.enum(['read', 'write']),
          description: z.string(),
        }),
      )
      .describe('The operations that this token may use'),
    limits: z.record(z.string(), z.number()),
  })
  .meta({ id: 'DelegationCapabilities' })

export const getCapabilities = operation({
  name: 'agent.capabilities',
  area: 'agent',
  permission: 'read',
  summary: 'Get what the agent can do with this token',
  input: z.strictObject({}),
  output: Capabilities,
  run: async ({ actor, services }) => {
    const operations = [...services.operations.values()].filter(
      (one) =>
        one.area !== 'agent' &&
        !showsOnce(one) &&
        (one.permission === 'public' || (actor.kind !== 'anonymous' && mayDo(actor, one.area, one.permission))),
    )
    return {
      version: 1 as const,
      surfaces: ['chat_delegated_bot'],
      outcomes: [...outcomes],
      transport_directives: [...directives],
      languages: ['en'],
      planner: services.model ? ('model' as const) : ('rules' as const),
      operations: operations.map(({ name, area, permission, changes, summary }) => ({
        ...{ name, area, permission },
        effect: changes ? ('write' as const) : ('read' as const),
        description: summary,
      })),
      limits: {
        query_characters: 4000,
        plan_steps: MAX_STEPS,
        plan_ttl_seconds: services.planTtlMs / 1000,
        respond_seconds: 25,
        confirm_seconds: 10,
      },
    }
  },
})
