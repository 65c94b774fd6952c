import { BusinessSummary } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { nearPlace } from './fields.ts'
import * as z from './zod.ts'

/**
 * `near` limits the list to businesses within 50 miles of a place or, if it names a state, in that state. If fewer than three are found,
 * lists businesses from everywhere.
 */
const query = z.object({ near: nearPlace })

/** `isNearby`: whether the list is limited to the area around `near`. It is the same for every business. */
const Shown = z.extend(BusinessSummary, { isNearby: z.boolean() })

export const listTrending = endpoint({
  method: 'GET',
  path: '/api/trending',
  summary: 'List the three businesses with the most engagement in the last two weeks, near a place if enough are there',
  tag: 'Home',
  access: 'public',
  query,
  response: z.array(z.extend(Shown, { reason: z.string() })),
})

export const listFeatured = endpoint({
  method: 'GET',
  path: '/api/featured',
  summary: 'List the four best-rated businesses with enough reviews to count, near a place if enough are there',
  tag: 'Home',
  access: 'public',
  query,
  response: z.array(Shown),
})

export const getActivity = endpoint({
  method: 'GET',
  path: '/api/activity',
  summary: 'Count your activity on the site',
  tag: 'Home',
  access: 'member',
  response: z.object({
    likes: z.int(),
    comments: z.int(),
    reviews: z.int(),
    favorites: z.int(),
    /** Businesses you follow that moderators have hidden. Your `followingCount` includes them. */
    hiddenFollows: z.int(),
  }),
})
