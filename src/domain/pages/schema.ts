import { z } from 'zod'
import { inOneLine, line, readOnly, version } from '../kernel/schema.ts'

export const StatusPageSummary = z
  .strictObject({
    id: z.int(),
    organization_id: z.int(),
    page_id: z.int(),
    name: z.string(),
    organization_slug: z.string(),
    page_slug: z.string(),
    public_slug: z.string(),
    public_domain: z.string(),
    public_url: z.string(),
    fallback_domain: z.string(),
    fallback_url: z.string(),
    active_custom_domain: z.string().optional(),
    active_custom_url: z.string().optional(),
    custom_domains: z.array(z.string()),
    viewer_auth_mode: z.enum(['none', 'password', 'sso', 'either']),
    viewer_password_configured: z.boolean(),
    visibility: z.enum(['public', 'private']),
    version: z.int().optional(),
  })
  .meta({ id: 'StatusPageSummary' })

const slug = () =>
  z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters and digits, joined by hyphens')
    .max(63)

const writable = { name: true, page_slug: true, public_slug: true, viewer_auth_mode: true, visibility: true } as const

export const PageUpdateRequest = z.strictObject({
  name: inOneLine(line(200)).optional(),
  page_slug: slug().optional().describe('Unique in the organization'),
  public_slug: slug()
    .optional()
    .describe(
      'Unique in the installation: names the page in host names and links. Addresses with the former slug redirect to the page until another page takes the former slug',
    ),
  visibility: z
    .enum(['public', 'private'])
    .optional()
    .describe(
      'A private page can be read only with a token of the page or an access link, or with the password of viewers',
    ),
  viewer_auth_mode: z
    .enum(['none', 'password'], {
      error: 'must be "none" or "password": the modes "sso" and "either" are not accepted yet',
    })
    .optional()
    .describe('`password`: readers without a token or an access link enter the password of viewers, for 7 days'),
  viewer_password: z
    .string()
    .min(8)
    .max(200)
    .nullable()
    .optional()
    .meta({ writeOnly: true })
    .describe('Only its hash is stored. A new password, and a new mode, ends the sessions of all viewers'),
  version: version().optional(),
  ...readOnly(...Object.keys(StatusPageSummary.omit({ ...writable, version: true }).shape)),
})
