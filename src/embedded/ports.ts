import { createServer, type Server } from 'node:net'

/** One free loopback port for each wish: the wished one where it is free, else any. */
export async function freePorts(wishes: (number | undefined)[]): Promise<number[]> {
  const servers: Server[] = []
  try {
    // All stay bound until the last is found, so that no port is given twice.
    for (const wish of wishes) servers.push((wish && (await bind(wish))) || (await bind(0))!)
    return servers.map((server) => (server.address() as { port: number }).port)
  } finally {
    await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
  }
}

function bind(port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => (port ? resolve(undefined) : reject(error)))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server))
  })
}
