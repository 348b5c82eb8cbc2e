import { afterAll, beforeAll, beforeEach } from '@jest/globals'
import { type House, openHouse } from './house.ts'

/** The test service of a file, with a clock that stands still; each test begins at this moment. */
export function houseAt(moment: Date, tell: (house: House) => void): void {
  let house: House | undefined
  beforeAll(async () => {
    house = await openHouse({ frozenAt: moment })
    tell(house)
  })
  afterAll(() => house?.close())
  beforeEach(() => {
    house!.now = moment
  })
}
