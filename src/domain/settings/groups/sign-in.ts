import { z } from 'zod'
import {
  emailOrNone,
  flag,
  hidden,
  hostOrNone,
  lineOrNone,
  link,
  peoplesAddress,
  portText,
  secret,
  words,
} from '../fields.ts'

export const signIn = {
  working: {
    email_delivery_mode: hidden(
      z
        .enum(['log', 'smtp'])
        .default('log')
        .describe(
          '`smtp` sends mails through `email_smtp_host`; `log` sends nothing: administrators read the mails in the deliveries',
        ),
    ),
    email_from_address: peoplesAddress(emailOrNone().describe('The sender of mails; required for the mode `smtp`')),
    email_from_name: hidden(lineOrNone(200).describe('The name of the sender; empty for the title of the page')),
    email_reply_to_address: peoplesAddress(emailOrNone().describe('Where answers to mails go; empty for the sender')),
    email_smtp_host: hidden(hostOrNone().describe('The mail server; required for the mode `smtp`')),
    email_smtp_port: hidden(
      portText()
        .default('587')
        .describe('With 465 the connection begins with TLS; with other ports STARTTLS is used if the server offers it'),
    ),
    email_smtp_username: peoplesAddress(
      lineOrNone(320).describe('Empty for no authentication. With a user name, mails are sent over TLS only'),
    ),
    email_smtp_password: secret(),
  },
  later: {
    allow_password_login_when_sso_enabled: hidden(flag(true)),
    allow_password_reset_emails: flag(true),
    sso_enabled: hidden(flag(false)),
    sso_client_id: hidden(words(500)),
    sso_issuer_url: hidden(link()),
    sso_redirect_uri: hidden(link()),
    sso_client_secret: secret(),
  },
}
