import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { containsWord } from '#server/features/businesses/index.ts'
import { businessNotBlocked } from '#server/features/people/index.ts'
import { boxAround, type Point } from '#server/kernel/geo/distance.ts'

export type NamedRow = { id: string; name: string; pin_latitude: number | null; pin_longitude: number | null; rating_score: number }

const maxNamed = 60

const visibleNames = (db: Db, viewerId: string) =>
  db
    .selectFrom('businesses')
    .select(['id', 'name', 'pin_latitude', 'pin_longitude', 'rating_score'])
    .where('moderation', 'is', null)
    .where(businessNotBlocked(viewerId, 'businesses.id'))

/** Businesses whose name contains one of these phrases, best rated first. */
export const namesContaining = (db: Db, viewerId: string, phrases: readonly string[]): Promise<NamedRow[]> =>
  visibleNames(db, viewerId)
    .where((eb) => eb.or(phrases.map((phrase) => containsWord(eb.ref('search_text'), phrase))))
    // The first line is the name.
    .where(
      sql<boolean>`split_part(search_text, E'\n', 1) like any(${phrases.map((phrase) => `%${phrase.replace(/[\\%_]/g, '\\$&')}%`)}::text[])`,
    )
    .orderBy('rating_score', 'desc')
    .limit(maxNamed)
    .execute()

const maxAround = 2000

/** Names around a point, to find misspelled ones. */
export function namesAround(db: Db, viewerId: string, center: Point, radiusMiles: number): Promise<NamedRow[]> {
  const { west, south, east, north } = boxAround(center, radiusMiles)
  return visibleNames(db, viewerId)
    .where('pin_latitude', '>=', south)
    .where('pin_latitude', '<=', north)
    .where(sql<boolean>`pin_longitude between ${west} and ${east}`)
    .limit(maxAround)
    .execute()
}
