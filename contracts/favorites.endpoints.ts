import { BusinessSummary } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { Id, page } from './fields.ts'
import * as z from './zod.ts'

export const Favorite = z.object({ id: Id, business: BusinessSummary, createdAt: z.iso.datetime() })
export type Favorite = z.infer<typeof Favorite>

const BusinessIdParams = z.object({ businessId: Id })
const FavoriteState = z.object({ businessId: Id, isFavorited: z.boolean() })

export const listFavorites = endpoint({
  method: 'GET',
  path: '/api/favorites',
  summary: 'List your favorites, newest first',
  tag: 'Favorites',
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(Favorite),
})

export const addFavorite = endpoint({
  method: 'POST',
  path: '/api/favorites',
  summary: 'Add a business to your favorites. Idempotent.',
  tag: 'Favorites',
  access: 'member',
  body: BusinessIdParams,
  response: FavoriteState,
})

export const removeFavorite = endpoint({
  method: 'DELETE',
  path: '/api/favorites/:businessId',
  summary: 'Remove a business from your favorites. Idempotent.',
  tag: 'Favorites',
  access: 'member',
  params: BusinessIdParams,
  response: FavoriteState,
})
