import { sql } from 'kysely'
import { utcDate } from '#contracts/age.ts'
import type { Db } from '#server/db/connect.ts'
import { hasPlanWith } from '#server/features/billing/index.ts'
import { productAgeOf } from '#server/features/jurisdictions/index.ts'
import { isLocked, isVisible, type Reader } from './visible-posts.ts'

/** What each reader may see of a post: nothing (missing from the map), only the title (`isLocked`), or everything. */
export type Audience = Map<string, { isLocked: boolean }>

/** Which of these people may see a post, and how much of it. Used to notify many people. */
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

/** A reader for queries in which the readers are rows of `users`. */
function accountReader(minimumAge: number, now: Date): Reader {
  const today = utcDate(now)
  // Compared as text, like `ageOn`: February 29 minus some years isn't always a valid date.
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
