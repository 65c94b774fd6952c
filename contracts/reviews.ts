import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams } from './ids.ts'
import { page } from './pagination.ts'

export const Rating = z.object({
  id: Id,
  rating: z.int().check(z.minimum(1), z.maximum(5)),
  review: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  user: z.object({ id: Id, firstName: z.nullable(z.string()), lastName: z.nullable(z.string()) }),
})
export type Rating = z.infer<typeof Rating>

export const listRatings = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/ratings',
  summary: "A business's reviews, newest first",
  tag: 'Reviews',
  access: 'public',
  paginated: true,
  params: IdOrSlugParams,
  query: z.object(page),
  response: z.array(Rating),
})
