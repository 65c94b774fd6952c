import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { GuideFacts } from './steps.ts'

/** Checklist facts from the person's own records, in one query with an index lookup each. */
export async function readFacts(db: Db, userId: string, now: Date): Promise<GuideFacts> {
  const me = sql`${userId}::uuid`
  const ofMine = (table: 'products' | 'posts') =>
    sql`exists (select from ${sql.table(table)} join mine on mine.business_id = ${sql.table(table)}.business_id)`
  const { rows } = await sql<GuideFacts>`
    with mine as (select business_id from business_members where user_id = ${me})
    select
      exists (select from users where id = ${me} and location is not null and location <> '' and cardinality(interests) > 0) as "hasProfile",
      (exists (select from business_follows where user_id = ${me})
        or exists (select from person_follows where follower_id = ${me})) as "follows",
      exists (select from subscriptions where user_id = ${me}) as "subscribes",
      exists (select from favorites where user_id = ${me}) as "hasFavorite",
      exists (select from reviews where user_id = ${me}) as "hasReviewed",
      exists (select from community_members where user_id = ${me}) as "isInCommunity",
      exists (select from posts where author_id = ${me} and business_id is null) as "hasPosted",
      exists (select from hunts where owner_id = ${me}) as "hasHunt",
      (exists (select from mine) or exists (select from claims where user_id = ${me} and status = 'open')) as "hasBusiness",
      exists (select from license_verifications join mine using (business_id) where status = 'verified' or (status = 'pending' and document_id is not null)) as "hasLicense",
      exists (select from businesses join mine on mine.business_id = businesses.id where description <> '') as "hasDescription",
      ${ofMine('products')} as "hasMenu",
      exists (select from locations join mine using (business_id) where has_hours) as "hasHours",
      ${ofMine('posts')} as "hasBusinessPost",
      (exists (select from business_members others join mine using (business_id) where others.user_id <> ${me})
        or exists (select from team_invitations join mine using (business_id) where revoked_at is null)) as "hasTeam",
      exists (select from agreements join mine on mine.business_id = agreements.business_id
        where plan_id is not null and entitled_until > ${now}) as "hasPlan"`.execute(db)
  return rows[0] as GuideFacts
}

export const readMarks = (db: Db, userId: string) =>
  db
    .selectFrom('guide_progress')
    .select(['marked', 'current_step', 'is_dismissed', 'uses_model'])
    .where('user_id', '=', userId)
    .executeTakeFirst()

/** Name, type and interests of an account: all that a language model ever receives about a person. */
export const readAccount = (db: Db, userId: string) =>
  db
    .selectFrom('users')
    .select(['first_name', 'display_name', 'user_type', 'business_type', 'interests', 'location'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
