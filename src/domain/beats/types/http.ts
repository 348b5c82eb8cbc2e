import { z } from 'zod'
import { isSecretName, isSecretPath } from '../../../outbound/secret-rules.ts'
import { line, text } from '../../kernel/schema.ts'
import { Assertion } from './assertion.ts'
import type { CheckedDescription } from './description.ts'
import { ipFamily, tlsParts } from './parts.ts'
import { portOf, urlProblem } from './url-rules.ts'

const httpUrl = () =>
  line(2000)
    .superRefine((value, ctx) => {
      const message = urlProblem(value)
      if (message) ctx.addIssue({ code: 'custom', message })
    })
    .meta({ format: 'uri' })

/** Headers that frame the request, which the service sets. */
const ownHeaders =
  /^(connection|content-length|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i

/** Each secret value is searched in each text that quotes the target. */
const MAX_SECRET_PARTS = 200

const Headers = z
  .record(z.string(), text(4000))
  .superRefine((headers, ctx) => {
    const seen = new Set<string>()
    const names = Object.keys(headers)
    const parts = names.filter(isSecretName).reduce((sum, name) => sum + (headers[name] ?? '').split(/[;,]/).length, 0)
    if (parts > MAX_SECRET_PARTS) {
      const message = `may contain at most ${MAX_SECRET_PARTS} values between ; and , in the encrypted headers`
      ctx.addIssue({ code: 'custom', message })
    }
    if (names.length > 50) ctx.addIssue({ code: 'custom', message: 'may contain at most 50 headers' })
    for (const name of names) {
      const wrong = (message: string) => ctx.addIssue({ code: 'custom', path: [name], message })
      if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/.test(name)) wrong('is not a name for a header')
      if (ownHeaders.test(name)) wrong('is set by the service')
      if (seen.has(name.toLowerCase())) wrong('appears twice')
      if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(headers[name] ?? '')) wrong('contains characters that a header cannot have')
      seen.add(name.toLowerCase())
    }
  })
  .describe('Values of headers such as Authorization are encrypted and never shown')

const A_STATUS = 'must be a status such as 200, a class such as "2xx", or a list of these'
const Status = z.union([z.int().min(100).max(599), z.string().regex(/^[1-5](xx|\d\d)$/i, A_STATUS)], {
  error: A_STATUS,
})

export const MAX_ASSERTIONS = 20

export const HttpTarget = z
  .strictObject({
    url: httpUrl(),
    method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']).optional(),
    headers: Headers.optional(),
    body: text(65_536)
      .optional()
      .describe('Stored in plain text and shown to readers of the beat: put a secret into a header'),
    expected_status: z
      .union([Status, z.array(Status).min(1).max(50)], {
        error: A_STATUS,
      })
      .optional()
      .describe('By default `2xx`'),
    follow_redirects: z
      .boolean()
      .optional()
      .describe('At most five redirects; by default true, unless a status of 300 to 399 is expected'),
    assertions: z
      .array(Assertion)
      .max(MAX_ASSERTIONS)
      .optional()
      .describe('The check fails unless all assertions hold'),
    ip_family: ipFamily(),
    ...tlsParts(),
  })
  .superRefine(({ url, method = 'GET', body, follow_redirects, ca, client_certificate, assertions = [] }, ctx) => {
    const wrong = (path: (string | number)[], message: string) => ctx.addIssue({ code: 'custom', path, message })
    if (body !== undefined && (method === 'GET' || method === 'HEAD')) wrong(['body'], `cannot be sent with ${method}`)
    const plain = URL.parse(url)?.protocol === 'http:'
    if (ca !== undefined && follow_redirects === false && plain) {
      wrong(['ca'], 'is for https://: a check of an http:// URL that follows no redirects sees no certificate')
    }
    // The certificate is not sent to a host of a redirect either.
    if (client_certificate !== undefined && plain) {
      wrong(['client_certificate'], 'is for https://: a request to an http:// URL sends no certificate')
    }
    const secrets = assertions.flatMap(({ path = '', value }) => (isSecretPath(path) ? [value].flat() : []))
    if (secrets.length > MAX_SECRET_PARTS)
      wrong(['assertions'], `may compare secrets with at most ${MAX_SECRET_PARTS} values`)
    for (const [index, { source }] of assertions.entries()) {
      if (method !== 'HEAD' || source === 'header') continue
      wrong(['assertions', index, 'source'], 'must be header with the method HEAD, whose answers have no body')
    }
  })
  .meta({ id: 'HttpBeatTarget' })
export type HttpTarget = z.infer<typeof HttpTarget>

/** The description of `http`, `api` and `latency`, whose checks differ. */
export const http = {
  stageFrom: 'checks',
  target: HttpTarget,
  placesOf({ url }) {
    const read = URL.parse(url)
    return [{ field: 'url', host: read?.hostname ?? url, port: read ? portOf(read) : undefined }]
  },
  certificate: 'over https',
} satisfies CheckedDescription<typeof HttpTarget>
