import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { readHost } from '../../../outbound/host-rules.ts'
import { line, text } from '../../kernel/schema.ts'

/** Parts of the schemas of targets. */

export const host = () =>
  line(300)
    .refine((value) => readHost(value) !== null, 'must be a host name or an IP address, without a scheme, port or path')
    .describe('A host name or an IP address')

export const port = () => z.int().min(1).max(65_535)

export const ipFamily = () =>
  z
    .enum(['ipv4', 'ipv6'])
    .optional()
    .describe('Which addresses of a name to use; by default IPv4 if the name has such an address, else IPv6')

const MAX_PEM = 100_000
const pem = () => text(MAX_PEM).min(1)

/** The fields of targets with TLS. */
export const tlsParts = () => ({
  ca: pem()
    .refine((value) => certificatesIn(value) !== null, 'must be certificates in PEM')
    .optional()
    .describe('The trusted authorities instead of the public authorities, in PEM'),
  client_certificate: ClientCertificate.optional(),
})

const ClientCertificate = z
  .strictObject({
    certificate: pem().describe('The certificate and its intermediate certificates, in PEM'),
    key: pem().describe('The private key of the certificate in PEM, without a passphrase'),
  })
  .superRefine(({ certificate, key }, ctx) => {
    const [own] = certificatesIn(certificate) ?? []
    const secret = privateKeyIn(key)
    const wrong = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [field], message })
    if (!own) wrong('certificate', 'must be certificates in PEM')
    if (!secret) wrong('key', 'must be a private key in PEM without a passphrase')
    if (own && secret && !own.checkPrivateKey(secret)) wrong('key', 'does not belong to the certificate')
  })
  .meta({ id: 'BeatClientCertificate' })
export type ClientCertificate = z.infer<typeof ClientCertificate>

function certificatesIn(text: string): X509Certificate[] | null {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  try {
    return blocks?.map((block) => new X509Certificate(block)) ?? null
  } catch {
    return null
  }
}

function privateKeyIn(text: string): KeyObject | null {
  try {
    return createPrivateKey(text)
  } catch {
    return null
  }
}
