import type { BusinessSummary } from '#contracts/businesses.ts'
import * as contract from '#contracts/mutes.endpoints.ts'
import type { Person } from '#contracts/people.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { loadSummaries, requireBusiness } from '#server/features/businesses/index.ts'
import { bylineColumns, notBlocked, requireVisiblePerson, toPerson } from '#server/features/people/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { decodeCursor, newestAfter, type Page, toPage } from '#server/kernel/keyset.ts'
import { type Api, route } from '#server/kernel/route.ts'

/** Personal mutes. Feeds and notifications leave out what the muted publish; nothing else changes, and only the person knows. */
export function registerMutes(api: Api): void {
  route(api, contract.mutePerson, ({ ctx, actor, params }) => changePersonMute(ctx, actor.id, params.id, true))
  route(api, contract.unmutePerson, ({ ctx, actor, params }) => changePersonMute(ctx, actor.id, params.id, false))
  route(api, contract.muteBusiness, ({ ctx, actor, params }) => changeBusinessMute(ctx, actor.id, params.id, true))
  route(api, contract.unmuteBusiness, ({ ctx, actor, params }) => changeBusinessMute(ctx, actor.id, params.id, false))
  route(api, contract.listMutedPeople, ({ ctx, actor, query }) => listMutedPeople(ctx.db, actor.id, query))
  route(api, contract.listMutedBusinesses, ({ ctx, actor, query }) => listMutedBusinesses(ctx.db, actor.id, query, ctx.clock.now()))
}

type Ctx = Pick<Context, 'db' | 'clock'>

/** @throws AppError forbidden, not_found */
async function changePersonMute({ db, clock }: Ctx, userId: string, personId: string, isMuted: boolean) {
  if (userId === personId) throw new AppError('forbidden', { message: "You can't mute yourself." })
  await inTransaction(db, async (tx) => {
    if (!isMuted) {
      await tx.deleteFrom('person_mutes').where('user_id', '=', userId).where('muted_id', '=', personId).execute()
      return
    }
    const { id } = await requireVisiblePerson(tx, userId, personId)
    await tx
      .insertInto('person_mutes')
      .values({ user_id: userId, muted_id: id, created_at: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
  return { id: personId, isMuted }
}

/** @throws AppError not_found */
async function changeBusinessMute({ db, clock }: Ctx, userId: string, businessId: string, isMuted: boolean) {
  await inTransaction(db, async (tx) => {
    if (!isMuted) {
      await tx.deleteFrom('business_mutes').where('user_id', '=', userId).where('business_id', '=', businessId).execute()
      return
    }
    const { id } = await requireBusiness(tx, businessId, userId)
    await tx
      .insertInto('business_mutes')
      .values({ user_id: userId, business_id: id, created_at: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
  return { id: businessId, isMuted }
}

type PageQuery = { limit: number; cursor?: string | undefined }

/** Newest first, without people with a block in either direction. */
async function listMutedPeople(db: Db, userId: string, page: PageQuery): Promise<Page<Person>> {
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const rows = await db
    .selectFrom('person_mutes')
    .innerJoin('users', 'users.id', 'muted_id')
    .select([...bylineColumns, 'person_mutes.created_at'])
    .where('user_id', '=', userId)
    .where(notBlocked(userId, 'person_mutes.muted_id'))
    .$call((rows) => newestAfter(rows, 'person_mutes.created_at', 'muted_id', after))
    .limit(page.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.id])
  return { items: items.map(toPerson), nextCursor }
}

/** Newest first. */
async function listMutedBusinesses(db: Db, userId: string, page: PageQuery, now: Date): Promise<Page<BusinessSummary>> {
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const rows = await db
    .selectFrom('business_mutes')
    .select(['business_id', 'created_at'])
    .where('user_id', '=', userId)
    .$call((rows) => newestAfter(rows, 'created_at', 'business_id', after))
    .limit(page.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.business_id])
  const ids = items.map((row) => row.business_id)
  return { items: await loadSummaries(db, ids, now), nextCursor }
}
