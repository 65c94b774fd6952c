import type { Updateable } from 'kysely'
import type { DB, Db, Tx } from '#server/db/connect.ts'

export const sharingOf = (db: Db, businessId: string) =>
  db.selectFrom('menu_sharing').select(['is_embed_on', 'feed_token']).where('business_id', '=', businessId).executeTakeFirst()

export const saveSharing = (tx: Tx, businessId: string, changes: Updateable<DB['menu_sharing']>) =>
  tx
    .insertInto('menu_sharing')
    .values({ ...changes, business_id: businessId })
    .onConflict((conflict) => conflict.column('business_id').doUpdateSet(changes))
    .execute()

/** Keeps an existing token, even if two requests add one at once. */
export const addToken = (tx: Tx, businessId: string, token: string, now: Date) =>
  tx
    .insertInto('menu_sharing')
    .values({ business_id: businessId, feed_token: token, updated_at: now })
    .onConflict((conflict) =>
      conflict.column('business_id').doUpdateSet({ feed_token: token, updated_at: now }).where('menu_sharing.feed_token', 'is', null),
    )
    .execute()

const businessColumns = [
  'businesses.id',
  'businesses.slug',
  'businesses.name',
  'businesses.type',
  'businesses.location',
  'businesses.country',
  'businesses.state',
] as const

export type SharedBusiness = NonNullable<Awaited<ReturnType<typeof embeddedBusiness>>>

export const embeddedBusiness = (db: Db, slug: string) =>
  db
    .selectFrom('businesses')
    .innerJoin('menu_sharing', 'menu_sharing.business_id', 'businesses.id')
    .select(businessColumns)
    .where('businesses.slug', '=', slug)
    .where('businesses.moderation', 'is', null)
    .where('menu_sharing.is_embed_on', '=', true)
    .executeTakeFirst()

export const businessOfFeed = (db: Db, token: string) =>
  db
    .selectFrom('businesses')
    .innerJoin('menu_sharing', 'menu_sharing.business_id', 'businesses.id')
    .select(businessColumns)
    .where('menu_sharing.feed_token', '=', token)
    .where('businesses.moderation', 'is', null)
    .executeTakeFirst()

/** The data of a printed card. Farms never show a street address. */
export const businessOnCard = (db: Db, slug: string) =>
  db.selectFrom('businesses').select(['slug', 'name', 'type', 'address', 'location']).where('slug', '=', slug).executeTakeFirst()
