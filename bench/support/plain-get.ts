import { request } from 'node:http'

/** An answer with its bytes as they were sent, which fetch would decompress. */
export function plainGet(
  port: number,
  path: string,
  headers: Record<string, string>,
): Promise<{ headers: Record<string, string>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers }, async (response) => {
      const body = Buffer.concat(await response.toArray())
      if (response.statusCode !== 200) return reject(new Error(`${path} answered ${response.statusCode}: ${body}`))
      resolve({ headers: response.headers as Record<string, string>, body })
    })
    sent.once('error', reject)
    sent.end()
  })
}
