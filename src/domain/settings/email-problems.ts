import { notPublic } from '../../outbound/address-rules.ts'
import { ownPortRefusal, placeOf, readHost } from '../../outbound/host-rules.ts'
import type { FieldError } from '../kernel/errors.ts'
import type { Services } from '../kernel/services.ts'
import type { Settings } from './schema.ts'

const needed = ['email_smtp_host', 'email_from_address'] as const

/** Settings with which no mail could be sent. A host name is resolved and verified when a mail is sent. */
export function emailProblems(
  settings: Settings,
  { beatTargets, ownPorts }: Pick<Services, 'beatTargets' | 'ownPorts'>,
): FieldError[] {
  const { email_smtp_host: written, email_smtp_port } = settings
  const missing = settings.email_delivery_mode === 'smtp' ? needed.filter((name) => settings[name] === '') : []
  const problems = missing.map((path) => ({ path, message: 'is required while email_delivery_mode is "smtp"' }))
  const host = readHost(written)
  if (!host) return problems
  const port = Number(email_smtp_port)
  const reason = 'address' in host && beatTargets === 'public' ? notPublic(host.address) : null
  if (reason) {
    problems.push({
      path: 'email_smtp_host',
      message: `${written} is ${reason}; only public addresses may be reached here`,
    })
  }
  if (ownPorts.includes('address' in host ? host.address : host.name, port)) {
    problems.push({ path: 'email_smtp_host', message: ownPortRefusal(placeOf(written, port)) })
  }
  return problems
}
