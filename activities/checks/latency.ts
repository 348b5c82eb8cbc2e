import { http } from './http.ts'

/** An `http` that is there for its `latency_ms`: the threshold rules judge that. */
export const latency = http
