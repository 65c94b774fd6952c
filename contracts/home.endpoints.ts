import { BusinessSummary } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import * as z from './zod.ts'

export const listTrending = endpoint({
  method: 'GET',
  path: '/api/trending',
  summary: 'List the three businesses with the most recent engagement, decayed by age',
  tag: 'Home',
  access: 'public',
  response: z.array(z.extend(BusinessSummary, { reason: z.string() })),
})

export const listFeatured = endpoint({
  method: 'GET',
  path: '/api/featured',
  summary: 'List the four best rated businesses with enough reviews to count',
  tag: 'Home',
  access: 'public',
  response: z.array(BusinessSummary),
})

export const getActivity = endpoint({
  method: 'GET',
  path: '/api/activity',
  summary: 'Read what you have done here',
  tag: 'Home',
  access: 'member',
  response: z.object({ likes: z.int(), comments: z.int(), reviews: z.int(), favorites: z.int() }),
})
