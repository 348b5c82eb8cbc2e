import type { AnyOperation } from './domain/kernel/operation.ts'
import type { Operations } from './domain/kernel/services.ts'

export function openOperations(): Operations {
  let loaded: ReadonlyMap<string, AnyOperation> | undefined
  const all = () => {
    if (!loaded) throw new Error('the operations are not loaded yet')
    return loaded
  }
  return {
    async load() {
      const { routes } = await import('./api/routes/index.ts')
      const named = routes.filter(({ door }) => door === 'admin' || door === 'api')
      loaded ??= new Map(named.map(({ operation }) => [operation.name, operation]))
    },
    get: (name) => all().get(name),
    keys: () => all().keys(),
    values: () => all().values(),
  }
}
