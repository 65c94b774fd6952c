import type { Favorite } from '../../../contracts/favorites.ts'
import type { Db } from '../../db/connect.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { loadSummaries } from '../businesses/index.ts'
import { favoriteRows } from './favorites.queries.ts'

export async function listFavorites(
  db: Db,
  userId: string,
  page: { limit: number; cursor?: string | undefined },
  now: Date,
): Promise<Page<Favorite>> {
  const rows = await favoriteRows(db, userId, decodeCursor(page.cursor, ['time', 'id']), page.limit + 1)
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.id])
  const businesses = new Map(
    (
      await loadSummaries(
        db,
        items.map((row) => row.business_id),
        now,
      )
    ).map((business) => [business.id, business]),
  )
  return {
    items: items.flatMap((row) => {
      const business = businesses.get(row.business_id)
      return business ? [{ id: row.id, business, createdAt: row.created_at.toISOString() }] : []
    }),
    nextCursor,
  }
}
