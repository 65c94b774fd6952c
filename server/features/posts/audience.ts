import { sql } from 'kysely'
import { utcDate } from '../../../contracts/age.ts'
import type { Db } from '../../db/connect.ts'
import { hasPlanWith } from '../billing/index.ts'
import { productAgeOf } from '../jurisdictions/index.ts'
import { isLocked, isVisible, type Reader } from './visible-posts.ts'

/** What one of many readers may see of a post: nothing of it (`undefined` in the map), the title alone, or all. */
export type Audience = Map<string, { isLocked: boolean }>

/** Who of these people may see a post, and what of it; for whoever tells many people of it. */
export async function audienceOf(db: Db, postId: string, userIds: readonly string[], now: Date): Promise<Audience> {
  const place = await placeOf(db, postId)
  if (!place || userIds.length === 0) return new Map()
  const reader = accountReader(productAgeOf(place).minimumAge, now)
  const rows = await db
    .selectFrom('posts')
    .leftJoin('businesses', 'businesses.id', 'posts.business_id')
    .innerJoin('users', (join) => join.on(sql<boolean>`users.id = any(${userIds}::uuid[])`))
    .select(['users.id', isLocked(reader).as('is_locked')])
    .where('posts.id', '=', postId)
    .where(isVisible(reader))
    .execute()
  return new Map(rows.map((row) => [row.id, { isLocked: row.is_locked }]))
}

/** The readers that are rows of `users`. */
function accountReader(minimumAge: number, now: Date): Reader {
  const today = utcDate(now)
  // Compared as text, as `ageOn` does: February 29 minus a few years is not always a date.
  const latestBirthday = `${Number(today.slice(0, 4)) - minimumAge}${today.slice(4)}`
  return {
    id: sql`users.id`,
    isOfAge: sql`to_char(users.birthday, 'YYYY-MM-DD') <= ${latestBirthday}`,
    now: sql`${now}::timestamptz`,
    opensUnpriced: hasPlanWith('exclusive_posts', sql`users.id`, sql`${now}`),
  }
}

const placeOf = (db: Db, postId: string) =>
  db
    .selectFrom('posts')
    .leftJoin('businesses', 'businesses.id', 'posts.business_id')
    .select(['businesses.country', 'businesses.state'])
    .where('posts.id', '=', postId)
    .executeTakeFirst()
