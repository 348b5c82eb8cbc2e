import { invalid } from '../../kernel/errors.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { ToolContext } from './tool.ts'

const MOST = 5

/** The operation of this name; the refusal of another name shows similar ones. */
export function operationNamed({ services }: Pick<ToolContext, 'services'>, name: string): AnyOperation {
  const operation = services.operations.get(name)
  if (operation) return operation
  const [area = ''] = name.split('.')
  const similar = [...services.operations.keys()].filter((one) => area.length > 2 && one.includes(area)).slice(0, MOST)
  const hint = similar.length > 0 ? `; similar ones are ${similar.join(', ')}` : ''
  throw invalid([{ path: 'operation', message: `must be the name of an operation, as in list_operations${hint}` }])
}
