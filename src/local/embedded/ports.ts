import { createServer, type Server } from 'node:net'

/**
 * Below those that systems give to outgoing connections: such a one could sit on the port of a server that is about
 * to start again, and a client that knocks meanwhile can even be given that port and be connected to itself.
 */
const LOWEST = 15_000
const HIGHEST = 32_000
const TRIES = 50

/** One free loopback port for each wish: the wished one where it is free, else any. */
export async function freePorts(wishes: (number | undefined)[]): Promise<number[]> {
  const servers: Server[] = []
  try {
    // All stay bound until the last is found, so that no port is given twice.
    for (const wish of wishes) servers.push((wish && (await bind(wish))) || (await bindAny()))
    return servers.map((server) => (server.address() as { port: number }).port)
  } finally {
    await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
  }
}

async function bindAny(): Promise<Server> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const server = await bind(LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST)))
    if (server) return server
  }
  return (await bind(0))!
}

function bind(port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => (port ? resolve(undefined) : reject(error)))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server))
  })
}
