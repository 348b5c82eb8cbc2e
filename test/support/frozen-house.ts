import { afterAll, beforeAll, beforeEach } from '@jest/globals'
import { type House, openHouse } from './house.ts'

/** The house of a test file, at a moment that stands still and at which each test begins. */
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
