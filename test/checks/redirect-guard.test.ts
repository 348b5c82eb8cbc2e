import { registerHooks } from 'node:module'
import { afterAll, expect, test } from '@jest/globals'
import { closeServers, httpServer } from './support/servers.ts'

/** This file has a process of its own: there, the guard reads other rules. */
registerHooks({
  resolve(specifier, context, next) {
    const other =
      specifier.endsWith('/address-rules.ts') && context.parentURL?.endsWith('/src/outbound/connections/guard.ts')
    return other
      ? { url: new URL('./support/loopback-is-public.ts', import.meta.url).href, shortCircuit: true }
      : next(specifier, context)
  },
})
const { checks } = await import('../../activities/checks/index.ts')
const { soon } = await import('./support/context.ts')
afterAll(closeServers)

test.each(['http://127.0.0.2:', 'http://[::1]:', 'http://[::ffff:127.0.0.1]:', '//0x7f.2:'])(
  'a public server may not lead to %s',
  async (inside) => {
    const secret = await httpServer((_, answer) => answer.end('secret'), inside.includes('[::1]') ? '::1' : '0.0.0.0')
    const { url } = await httpServer((_, answer) =>
      answer.writeHead(302, { location: `${inside}${secret.port}` }).end(),
    )
    const outcome = await checks.http({ url }, soon({ guard: 'public' }))
    expect(outcome).toMatchObject({ ok: false, evidence: expect.stringMatching(/is a loopback address; only public/) })
    // The redirect is a failure of the target, not a refusal of the beat.
    expect(outcome.refused).toBeUndefined()
    expect(secret.made).toBe(0)
  },
)
