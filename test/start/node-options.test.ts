import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { nodeOptions } from '../../src/local/node-options.ts'

const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const { scripts } = JSON.parse(textOf('package.json'))
const listed = (command: string[]) => `[${command.map((part) => `"${part}"`).join(', ')}]`

test('`npm run worker` and Docker Compose start the worker with the options of `npm start`', () => {
  const command = ['node', ...nodeOptions, 'worker/main.ts']
  expect(scripts.worker).toBe(command.join(' '))
  expect(textOf('docker-compose.yml')).toContain(`command: ${listed(command)}`)
})

test('`npm run api` and the image start the API with the options of `npm start`', () => {
  const command = ['node', ...nodeOptions, 'src/main.ts']
  expect(scripts.api.replace(' --disable-warning=ExperimentalWarning', '')).toBe(command.join(' '))
  expect(textOf('Dockerfile')).toContain(`CMD ${listed(command)}`)
})

test('`npm start` starts the API and the worker with the options, and with stored code', () => {
  expect(textOf('src/start.ts')).toContain('const options = [...nodeOptions, ...code.options]')
  expect(textOf('src/start.ts').match(/main\.ts', import\.meta\.url\), options/g)).toHaveLength(2)
})

test('the script of `npm start` bounds the freed memory of its processes, and has Node store compiled code', () => {
  const bounds = 'MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_TRIM_THRESHOLD_=1048576'
  const compiled = `NODE_COMPILE_CACHE=\${NODE_COMPILE_CACHE:-node_modules/.cache/upbeat}`
  expect(scripts.start).toBe(`${bounds} ${compiled} exec node src/start.ts`)
})
