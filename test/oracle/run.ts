import { mismatch, readRecorded } from './recorded.ts'

/** `npm run oracle` compares every recorded occurrence; `npm test` does a part of them. */
const { tz, cases } = readRecorded()
const started = performance.now()
const wrong = cases.flatMap((one) => mismatch(one) ?? [])
const total = cases.reduce((sum, { starts }) => sum + starts.length, 0)

for (const line of wrong.slice(0, 20)) console.error(line)
if (tz !== process.versions.tz) console.error(`Recorded with tzdata ${tz}, the runtime has ${process.versions.tz}.`)
const seconds = ((performance.now() - started) / 1000).toFixed(1)
console.log(`${cases.length} series, ${total} occurrences, ${wrong.length} mismatches, ${seconds} s`)
if (wrong.length > 0) process.exitCode = 1
