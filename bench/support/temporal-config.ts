const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const

/** What to wish for: Temporal stores the ports of its services as smallint. */
export function wishedPorts(): number[] {
  return Array.from({ length: SERVICES.length * 2 }, () => 15_000 + Math.floor(Math.random() * 15_000))
}

export const DATABASES = { temporal: 'temporal', visibility: 'temporal_visibility' } as const

/**
 * What `docs/operations.md` recommends: a task queue in one part, whose tasks need no way from one part to the worker that
 * waits at another, timers at their moment, and no tasks for a worker that is frozen.
 */
export const dynamicConfig = JSON.stringify({
  'matching.numTaskqueueReadPartitions': [{ value: 1 }],
  'matching.numTaskqueueWritePartitions': [{ value: 1 }],
  'history.timerProcessorMaxTimeShift': [{ value: '50ms' }],
  'frontend.keepAliveTime': [{ value: '3s' }],
  'frontend.keepAliveTimeout': [{ value: '3s' }],
})

/** All of Temporal in one process on PostgreSQL, as its own configuration for PostgreSQL has it. JSON is YAML. */
export function temporalConfig(
  postgresUrl: string,
  ports: number[],
  dynamicConfigPath: string,
): { json: string; frontendPort: number } {
  const { hostname, port, username, password } = new URL(postgresUrl)
  const store = (databaseName: string, connections: number) => ({
    sql: {
      pluginName: 'postgres12',
      connectProtocol: 'tcp',
      connectAddr: `${hostname}:${port}`,
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      databaseName,
      maxConns: connections,
      maxIdleConns: connections,
      maxConnLifetime: '1h',
    },
  })
  const services = SERVICES.map((name, index) => {
    const [grpcPort, membershipPort] = ports.slice(index * 2)
    return [name, { rpc: { grpcPort, membershipPort, bindOnLocalHost: true } }]
  })
  const [frontendPort = 0] = ports
  const config = {
    log: { stdout: true, level: 'warn' },
    persistence: {
      numHistoryShards: 4,
      defaultStore: 'default',
      visibilityStore: 'visibility',
      datastores: { default: store(DATABASES.temporal, 20), visibility: store(DATABASES.visibility, 5) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: Object.fromEntries(services),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `127.0.0.1:${frontendPort}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: dynamicConfigPath, pollInterval: '60s' },
  }
  return { json: JSON.stringify(config, null, 2), frontendPort }
}
