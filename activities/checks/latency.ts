import { http } from './http.ts'

/** The same as `http`; the threshold rules of such a beat look at `latency_ms`. */
export const latency = http
