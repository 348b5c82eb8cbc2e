import { z } from 'zod'

/** The name of a region. Workers may serve any region, so any well-formed name is valid. */
export const regionName = () =>
  z.string().regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, 'must be the name of a region, such as eu-west')
