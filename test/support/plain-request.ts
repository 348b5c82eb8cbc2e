import { request } from 'node:http'

export interface PlainAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** A request without the redirects and the decompression of fetch. */
export function plainRequest(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<PlainAnswer> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method, headers }, async (response) => {
      const body = Buffer.concat(await response.toArray())
      resolve({ status: response.statusCode!, headers: response.headers as Record<string, string>, body })
    })
    sending.once('error', reject)
    sending.end()
  })
}
