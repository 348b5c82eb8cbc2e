import type { TlsTarget } from '../../src/domain/beats/types/tls.ts'
import { secure } from '../../src/outbound/connections/secure.ts'
import { placeOf } from '../../src/outbound/host-rules.ts'
import { check } from './check.ts'

/** Succeeds if the certificate is valid, trusted and for this host; the threshold rules look at the remaining days. */
export const tls = check<TlsTarget>(async (target, attempt) => {
  const { host, port = 443, server_name = host, ip_family } = target
  const { problems, certificate_days } = await secure({ host, port, ip_family, server_name }, target, attempt)
  const days = certificate_days === 1 ? '1 day' : `${certificate_days} days`
  const evidence = problems.join('; ') || `The certificate of ${placeOf(host, port)} is valid for ${days} more`
  return { ok: problems.length === 0, latency_ms: attempt.elapsed, evidence, certificate_days }
})
