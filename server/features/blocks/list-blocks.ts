import { sql } from 'kysely'
import type { BusinessSummary } from '../../../contracts/businesses.ts'
import type { Person } from '../../../contracts/people.ts'
import type { Db } from '../../db/connect.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { loadSummaries } from '../businesses/index.ts'
import { bylineColumns, toPerson } from '../people/index.ts'

type PageQuery = { limit: number; cursor?: string | undefined }

/** Whom a person has blocked, newest first: the one place where they are still seen, to end it. */
export async function listBlockedPeople(db: Db, userId: string, page: PageQuery): Promise<Page<Person>> {
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const rows = await db
    .selectFrom('person_blocks')
    .innerJoin('users', 'users.id', 'blocked_id')
    .select([...bylineColumns, 'person_blocks.created_at'])
    .where('blocker_id', '=', userId)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(person_blocks.created_at, blocked_id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`),
    )
    .orderBy('person_blocks.created_at', 'desc')
    .orderBy('blocked_id', 'desc')
    .limit(page.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.id])
  return { items: items.map(toPerson), nextCursor }
}

/** The businesses that a person has blocked, newest first. */
export async function listBlockedBusinesses(db: Db, userId: string, page: PageQuery, now: Date): Promise<Page<BusinessSummary>> {
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const rows = await db
    .selectFrom('business_blocks')
    .select(['business_id', 'created_at'])
    .where('user_id', '=', userId)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(created_at, business_id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('business_id', 'desc')
    .limit(page.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.business_id])
  const ids = items.map((row) => row.business_id)
  return { items: await loadSummaries(db, ids, now), nextCursor }
}
