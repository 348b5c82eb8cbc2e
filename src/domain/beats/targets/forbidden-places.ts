import { notPublic } from '../../../outbound/address-rules.ts'
import { ownPortRefusal, placeOf, readHost } from '../../../outbound/host-rules.ts'
import type { FieldError } from '../../kernel/errors.ts'
import type { OwnPorts } from '../../kernel/services.ts'
import { checkedDescriptionOf } from '../types/index.ts'

/** Refuses targets with places that no beat may connect to. Pure. */

/** Addresses that are not public. A name is resolved and verified when a check connects. */
export function hostProblems(type: string, target: object): FieldError[] {
  const description = checkedDescriptionOf(type)
  const problem = description?.publicProblem?.(target)
  if (problem) return [{ path: `target.${problem.field}`, message: problem.message }]
  return (description?.placesOf(target) ?? []).flatMap(({ field, host: written }) => {
    const host = readHost(written)
    const reason = host && 'address' in host ? notPublic(host.address) : null
    if (!reason) return []
    return { path: `target.${field}`, message: `${written} is ${reason}; only public addresses may be reached here` }
  })
}

/** Ports of the service's own servers. A name is verified again when a check connects to its addresses. */
export function ownPortProblems(type: string, target: object, own: OwnPorts): FieldError[] {
  return (checkedDescriptionOf(type)?.placesOf(target) ?? []).flatMap(({ field, host: written, port }) => {
    const host = readHost(written)
    if (!host || port === undefined || !own.includes('address' in host ? host.address : host.name, port)) return []
    return { path: `target.${field}`, message: ownPortRefusal(placeOf(written, port)) }
  })
}
