import { afterAll, beforeAll, beforeEach } from '@jest/globals'
import { openTestService, type TestService } from './test-service.ts'

/** The test service of a file, with a clock that stands still; each test begins at this moment. */
export function serviceAt(moment: Date, use: (service: TestService) => void): void {
  let service: TestService | undefined
  beforeAll(async () => {
    service = await openTestService({ frozenAt: moment })
    use(service)
  })
  afterAll(() => service?.close())
  beforeEach(() => {
    service!.now = moment
  })
}
