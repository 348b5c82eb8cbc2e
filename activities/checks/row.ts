import type { CheckOutcome } from './contract.ts'

const whole = (value: number | null | undefined) => (value == null ? null : Math.round(value))

/** The outcome of a check as a row of `beat_result`. */
export const rowOf = ({ ok, latency_ms, status_code, packet_loss, certificate_days, evidence }: CheckOutcome) => ({
  ok,
  latency_ms: whole(latency_ms),
  status_code: status_code ?? null,
  packet_loss: whole(packet_loss),
  certificate_days: whole(certificate_days),
  evidence: evidence.toWellFormed(),
})
