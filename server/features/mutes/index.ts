import * as contract from '#contracts/mutes.endpoints.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { listMarkedBusinesses, listMarkedPeople } from '#server/features/blocks/index.ts'
import { requireBusiness } from '#server/features/businesses/index.ts'
import { requireVisiblePerson } from '#server/features/people/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type Api, route } from '#server/kernel/route.ts'

/**
 * Personal mutes. Feeds and notifications leave out what muted people and businesses publish; nothing else changes, and only the person
 * knows.
 */
export function registerMutes(api: Api): void {
  route(api, contract.mutePerson, ({ ctx, actor, params }) => changePersonMute(ctx, actor.id, params.id, true))
  route(api, contract.unmutePerson, ({ ctx, actor, params }) => changePersonMute(ctx, actor.id, params.id, false))
  route(api, contract.muteBusiness, ({ ctx, actor, params }) => changeBusinessMute(ctx, actor.id, params.id, true))
  route(api, contract.unmuteBusiness, ({ ctx, actor, params }) => changeBusinessMute(ctx, actor.id, params.id, false))
  route(api, contract.listMutedPeople, ({ ctx, actor, query }) =>
    listMarkedPeople(ctx.db, { table: 'person_mutes', markedBy: actor.id, hiddenFrom: actor.id }, query),
  )
  route(api, contract.listMutedBusinesses, ({ ctx, actor, query }) =>
    listMarkedBusinesses(ctx.db, { table: 'business_mutes', userId: actor.id }, query, ctx.clock.now()),
  )
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
