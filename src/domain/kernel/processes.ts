/** A process is named by its kind and its subject. The kinds are those of `workflows/contract.ts`. */
export type Kind = 'incident' | 'item'

export function workflowIdOf(kind: Kind, id: number): string {
  return `${kind}:${id}`
}
