import { TestWorkflowEnvironment } from '@temporalio/testing'

const [kind, version, downloadDir] = process.argv.slice(2)
const server = { executable: { type: 'cached-download', version, downloadDir } } as const

const environment =
  kind === 'dev-server'
    ? TestWorkflowEnvironment.createLocal({ server })
    : TestWorkflowEnvironment.createTimeSkipping({ server })

environment.then(
  (started) => started.teardown(),
  (error: Error) => {
    // The message repeats the address; the reason is at its end.
    process.stderr.write(`${error.message.split(': ').slice(-2).join(': ')}\n`)
    process.exitCode = 1
  },
)
