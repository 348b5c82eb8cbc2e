import { randomBytes } from 'node:crypto'
import type { Page } from '../../../persistence/entities/page.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'

interface Change {
  viewer_auth_mode?: 'none' | 'password' | undefined
  viewer_password?: string | null | undefined
}

/** Changes what the page asks its viewers for. Sessions of viewers end with the password or the mode that they began with. */
export async function changeViewerAccess(ctx: Context, page: Page, change: Change): Promise<void> {
  const { viewer_auth_mode: mode = page.viewer_auth_mode, viewer_password: password } = change
  const hash = password === undefined ? page.viewer_password_hash : await hashOf(ctx, page, password)
  if (mode === 'password' && hash === null) {
    const [path, message] =
      password === null
        ? ['viewer_password', 'must stay set while `viewer_auth_mode` is "password"']
        : ['viewer_auth_mode', 'must not be "password" without a `viewer_password`: set both together']
    throw invalid([{ path, message }])
  }
  const isNewPassword = hash !== page.viewer_password_hash
  if (isNewPassword) {
    ctx.auditExtras.before.viewer_password = page.viewer_password_hash === null ? 'not set' : 'set'
    ctx.auditExtras.after.viewer_password = hash === null ? 'not set' : 'changed'
  }
  if (isNewPassword || mode !== page.viewer_auth_mode) page.viewer_session_key = randomBytes(16).toString('base64url')
  page.viewer_password_hash = hash
  page.viewer_auth_mode = mode
}

/** The hash to store: the stored hash if the password is the same. */
async function hashOf({ services }: Context, page: Page, password: string | null): Promise<string | null> {
  if (password === null) return null
  const { viewer_password_hash: stored } = page
  if (stored !== null && (await services.passwords.matches(password, stored))) return stored
  return services.passwords.hash(password)
}
