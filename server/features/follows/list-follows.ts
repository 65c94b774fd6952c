import { sql } from 'kysely'
import type { BusinessSummary } from '#contracts/businesses.ts'
import type { PersonInList } from '#contracts/people.ts'
import type { Db } from '#server/db/connect.ts'
import { loadSummaries } from '#server/features/businesses/index.ts'
import {
  businessNotBlocked,
  bylineColumns,
  notBlocked,
  requireOpenProfile,
  toPerson,
  type VisiblePerson,
} from '#server/features/people/index.ts'
import { decodeCursor, newestAfter, type Page, toPage } from '#server/kernel/keyset.ts'

type PageQuery = { limit: number; cursor?: string | undefined }
type After = readonly [createdAt: string, id: string] | null

/** Newest first. @throws AppError not_found, forbidden */
export const listFollowers = (db: Db, viewerId: string, personId: string, page: PageQuery) =>
  listPeople(db, viewerId, personId, page, followerIds)

/** Newest first. @throws AppError not_found, forbidden */
export const listFollowedPeople = (db: Db, viewerId: string, personId: string, page: PageQuery) =>
  listPeople(db, viewerId, personId, page, followedIds)

/** Newest first. @throws AppError not_found, forbidden */
export async function listFollowedBusinesses(
  db: Db,
  viewerId: string,
  personId: string,
  page: PageQuery,
  now: Date,
): Promise<Page<BusinessSummary>> {
  const person = await requireOpenProfile(db, viewerId, personId)
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const rows = await db
    .selectFrom('business_follows')
    .select(['business_id', 'created_at'])
    .where('user_id', '=', person.id)
    .where(businessNotBlocked(viewerId, 'business_follows.business_id'))
    .$call((rows) => newestAfter(rows, 'created_at', 'business_id', after))
    .limit(page.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.business_id])
  const ids = items.map((row) => row.business_id)
  return { items: await loadSummaries(db, ids, now), nextCursor }
}

type Row = { id: string; created_at: Date }
type ReadIds = (db: Db, person: VisiblePerson, viewerId: string, after: After, limit: number) => Promise<Row[]>

async function listPeople(db: Db, viewerId: string, personId: string, page: PageQuery, readIds: ReadIds): Promise<Page<PersonInList>> {
  const person = await requireOpenProfile(db, viewerId, personId)
  const rows = await readIds(db, person, viewerId, decodeCursor(page.cursor, ['time', 'id']), page.limit + 1)
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.id])
  const people = await loadPeople(
    db,
    viewerId,
    items.map((row) => row.id),
  )
  return { items: people, nextCursor }
}

const followerIds: ReadIds = (db, person, viewerId, after, limit) =>
  db
    .selectFrom('person_follows')
    .innerJoin('users', 'users.id', 'follower_id')
    .select(['follower_id as id', 'person_follows.created_at'])
    .where('person_id', '=', person.id)
    .where(mayStandInList(person, viewerId))
    .$call((rows) => newestAfter(rows, 'person_follows.created_at', 'follower_id', after))
    .limit(limit)
    .execute()

const followedIds: ReadIds = (db, person, viewerId, after, limit) =>
  db
    .selectFrom('person_follows')
    .innerJoin('users', 'users.id', 'person_id')
    .select(['person_id as id', 'person_follows.created_at'])
    .where('follower_id', '=', person.id)
    .where(mayStandInList(person, viewerId))
    .$call((rows) => newestAfter(rows, 'person_follows.created_at', 'person_id', after))
    .limit(limit)
    .execute()

/** People see all of their own list. Other lists show public profiles and the viewer, without blocked people. */
function mayStandInList(person: VisiblePerson, viewerId: string) {
  if (person.isSelf) return sql<boolean>`true`
  return sql<boolean>`(users.is_profile_public or users.id = ${viewerId}) and ${notBlocked(viewerId, 'users.id')}`
}

/** In the order of the IDs. */
async function loadPeople(db: Db, viewerId: string, ids: string[]): Promise<PersonInList[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('users')
    .leftJoin('person_follows', (join) => join.onRef('person_id', '=', 'users.id').on('follower_id', '=', viewerId))
    .select([...bylineColumns, 'person_follows.person_id as followed_id'])
    .where(sql<boolean>`users.id = any(${ids}::uuid[])`)
    .execute()
  const people = new Map(
    rows.map((row) => [row.id, { ...toPerson(row), isFollowing: row.followed_id !== null, isSelf: row.id === viewerId }]),
  )
  return ids.flatMap((id) => people.get(id) ?? [])
}
