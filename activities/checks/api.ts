import type { HttpTarget } from '../../src/domain/beats/types/http.ts'
import { check } from './check.ts'
import { askHttp } from './http.ts'

/** An `http` whose other side is asked for JSON, unless the beat says what to accept. */
export const api = check<HttpTarget>((target, attempt) => askHttp(target, attempt, 'application/json, */*;q=0.5'))
