import { BusinessSummary } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { nearPlace } from './fields.ts'
import * as z from './zod.ts'

/** Around `near`, if at least three are within 50 miles of it or in that state; otherwise from everywhere. */
const query = z.object({ near: nearPlace })

/** `isNearby`: around the place that was asked for. True for all of a list or for none. */
const Shown = z.extend(BusinessSummary, { isNearby: z.boolean() })

export const listTrending = endpoint({
  method: 'GET',
  path: '/api/trending',
  summary: 'List the three businesses with the most recent engagement, decayed by age, near a place if enough are',
  tag: 'Home',
  access: 'public',
  query,
  response: z.array(z.extend(Shown, { reason: z.string() })),
})

export const listFeatured = endpoint({
  method: 'GET',
  path: '/api/featured',
  summary: 'List the four best rated businesses with enough reviews to count, near a place if enough are',
  tag: 'Home',
  access: 'public',
  query,
  response: z.array(Shown),
})

export const getActivity = endpoint({
  method: 'GET',
  path: '/api/activity',
  summary: 'Read what you have done here',
  tag: 'Home',
  access: 'member',
  response: z.object({ likes: z.int(), comments: z.int(), reviews: z.int(), favorites: z.int() }),
})
