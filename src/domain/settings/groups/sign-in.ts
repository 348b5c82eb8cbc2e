import { flag, hidden, link, mode, peoplesAddress, secret, words } from '../fields.ts'

export const signIn = {
  working: {},
  later: {
    allow_password_login_when_sso_enabled: hidden(flag(true)),
    allow_password_reset_emails: flag(true),
    email_delivery_mode: hidden(mode()),
    email_from_address: peoplesAddress(words(320)),
    email_from_name: hidden(words(200)),
    email_reply_to_address: peoplesAddress(words(320)),
    email_smtp_host: hidden(words(253)),
    email_smtp_port: hidden(words(5)),
    email_smtp_username: peoplesAddress(words(320)),
    email_smtp_password: secret(),
    sso_enabled: hidden(flag(false)),
    sso_client_id: hidden(words(500)),
    sso_issuer_url: hidden(link()),
    sso_redirect_uri: hidden(link()),
    sso_client_secret: secret(),
  },
}
