import { z } from 'zod'

/** Where checks are made from. A region's workers may be anywhere, so any well-formed name is one. */
export const regionName = () =>
  z.string().regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, 'must be the name of a region, such as eu-west')
