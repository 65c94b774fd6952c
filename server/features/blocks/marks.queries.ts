import { sql } from 'kysely'
import type { BusinessSummary } from '#contracts/businesses.ts'
import type { Person } from '#contracts/people.ts'
import type { Db } from '#server/db/connect.ts'
import { loadSummaries } from '#server/features/businesses/index.ts'
import { bylineColumns, notBlocked, toPerson } from '#server/features/people/index.ts'
import { decodeCursor, newestAfter, type Page, toPage } from '#server/kernel/keyset.ts'

type PageQuery = { limit: number; cursor?: string | undefined }

/** Tables of blocked and muted people, with the columns of the person or business that marked them and of the marked. */
const peopleMarks = {
  person_blocks: ['blocker_id', 'blocked_id'],
  business_person_blocks: ['business_id', 'person_id'],
  person_mutes: ['user_id', 'muted_id'],
} as const

type Marks = {
  table: keyof typeof peopleMarks
  /** The person or business that marked them. */
  markedBy: string
  /** Leaves out people with a block between them and this person, in either direction. */
  hiddenFrom?: string
}

/** Newest first. */
export async function listMarkedPeople(db: Db, { table, markedBy, hiddenFrom }: Marks, page: PageQuery): Promise<Page<Person>> {
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const [by, marked] = peopleMarks[table]
  const marks = sql<{ person_id: string; marked_by: string; marked_at: Date }>`(
    select ${sql.ref(marked)} as person_id, ${sql.ref(by)} as marked_by, created_at as marked_at from ${sql.table(table)})`
  const rows = await db
    .selectFrom(marks.as('marks'))
    .innerJoin('users', 'users.id', 'marks.person_id')
    .select([...bylineColumns, 'marked_at'])
    .where('marked_by', '=', markedBy)
    .$if(hiddenFrom !== undefined, (query) => query.where(notBlocked(hiddenFrom ?? '', 'users.id')))
    .$call((rows) => newestAfter(rows, 'marked_at', 'person_id', after))
    .limit(page.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.marked_at.toISOString(), row.id])
  return { items: items.map(toPerson), nextCursor }
}

type BusinessMarks = { table: 'business_blocks' | 'business_mutes'; userId: string }

/** Newest first. */
export async function listMarkedBusinesses(
  db: Db,
  { table, userId }: BusinessMarks,
  page: PageQuery,
  now: Date,
): Promise<Page<BusinessSummary>> {
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const rows = await db
    .selectFrom(table)
    .select(['business_id', 'created_at'])
    .where('user_id', '=', userId)
    .$call((rows) => newestAfter(rows, 'created_at', 'business_id', after))
    .limit(page.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.business_id])
  const ids = items.map((row) => row.business_id)
  return { items: await loadSummaries(db, ids, now), nextCursor }
}
