import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { workerOptions } from '../../src/local/worker-options.ts'

const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

test('`npm run worker` and Docker Compose start the worker with the options of `npm start`', () => {
  const command = ['node', ...workerOptions, 'worker/main.ts']
  expect(JSON.parse(textOf('package.json')).scripts.worker).toBe(command.join(' '))
  expect(textOf('docker-compose.yml')).toContain(`command: [${command.map((part) => `"${part}"`).join(', ')}]`)
})
