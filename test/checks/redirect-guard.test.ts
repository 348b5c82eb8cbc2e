import { afterAll, expect, jest, test } from '@jest/globals'
import { closeServers, httpServer } from './support/servers.ts'

const real = await import('../../src/outbound/address-rules.ts')

/** So that a server on loopback can be the public one that redirects: 127.0.0.1 counts as public here, nothing else. */
jest.unstable_mockModule('../../src/outbound/address-rules.ts', () => ({
  ...real,
  notPublic: (address: string) => (address === '127.0.0.1' ? null : real.notPublic(address)),
}))
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
    // That is what the target does, and not what we forbid it.
    expect(outcome.refused).toBeUndefined()
    expect(secret.made).toBe(0)
  },
)
