import type { HttpTarget } from '../../src/domain/beats/types/http.ts'
import { check } from './check.ts'
import { askHttp } from './http.ts'

/** An `http` check that asks for JSON, unless the headers of the beat contain `Accept`. */
export const api = check<HttpTarget>((target, attempt) => askHttp(target, attempt, 'application/json, */*;q=0.5'))
