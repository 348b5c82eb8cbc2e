import { createServer, type Server } from 'node:net'

/**
 * Below the ports of outgoing connections: an outgoing connection could occupy the port of a restarting server, and a client
 * that connects meanwhile could get this port itself and connect to itself.
 */
const LOWEST = 15_000
const HIGHEST = 32_000
const TRIES = 50

/** A free loopback port for each wanted port: the wanted port if it is free, else any. */
export async function freePorts(wishes: (number | undefined)[]): Promise<number[]> {
  const servers: Server[] = []
  try {
    // All ports stay bound until the last is found, so that no port is returned twice.
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
