import type { Settings } from '../../../settings/schema.ts'

/** The mail server of a page. */
export interface MailServer {
  host: string
  port: number
  /** The connection begins with TLS. */
  implicit_tls: boolean
  username: string
  /** Differs after each change of the password; empty without a password. */
  password_mark: string
}

const IMPLICIT_TLS_PORT = 465

export const serverOf = (settings: Settings, tlsPort = IMPLICIT_TLS_PORT): MailServer => ({
  host: settings.email_smtp_host,
  port: Number(settings.email_smtp_port),
  implicit_tls: Number(settings.email_smtp_port) === tlsPort,
  username: settings.email_smtp_username,
  password_mark: settings.email_smtp_password,
})

/** Why no mail is sent with these settings. */
export function withheldReason(settings: Settings): string | undefined {
  if (settings.email_delivery_mode === 'log') return 'email_delivery_mode_log'
  const { email_smtp_host, email_from_address } = settings
  return email_smtp_host === '' || email_from_address === '' ? 'email_not_configured' : undefined
}

export interface Security {
  /** Without TLS nothing is sent. */
  required: boolean
  /** The certificate must be valid. */
  verified: boolean
}

/**
 * Credentials leave the machine over TLS only. A server on this machine is no other party: its certificate, which no
 * authority could issue for `localhost`, is not verified.
 */
export function securityOf({ host, username }: MailServer): Security {
  const local = /^(localhost|(.+\.)?localhost|127(\.\d{1,3}){3}|\[?::1\]?)\.?$/i.test(host)
  return { required: username !== '' && !local, verified: !local }
}
