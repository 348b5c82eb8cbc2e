import { z } from 'zod'
import { line, readOnly, version } from '../kernel/schema.ts'

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

export const PageUpdateRequest = z.strictObject({
  name: line(200).optional(),
  page_slug: slug().optional().describe('Unique in the organization'),
  public_slug: slug().optional().describe('Unique everywhere: it names the page in host names and links'),
  visibility: z.enum(['public', 'private']).optional().describe('A private page is read only with a token of the page'),
  version: version().optional(),
  ...readOnly(
    ...Object.keys(
      StatusPageSummary.omit({ name: true, page_slug: true, public_slug: true, visibility: true, version: true }).shape,
    ),
  ),
})
