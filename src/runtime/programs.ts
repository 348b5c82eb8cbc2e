import { spawn } from 'node:child_process'

/** Whether this machine has a program. Runs the program with `-V`, which prints its version. */
export function hasProgram(name: string): Promise<boolean> {
  const child = spawn(name, ['-V'], { stdio: 'ignore' })
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', () => resolve(true))
  })
}
