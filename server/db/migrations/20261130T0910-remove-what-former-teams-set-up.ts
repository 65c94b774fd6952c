import { type Kysely, type RawBuilder, sql } from 'kysely'

/** Teams that gave up or lost their business used to leave their license documents, webhooks and menu address to the next team. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from webhooks where ${isFormerTeams('webhooks', 'created_by')}`.execute(db)
  await sql`delete from menu_sources where ${isFormerTeams('menu_sources', 'created_by')}`.execute(db)
  await sql`
    with former as (
      update license_verifications
      set document_id = null, updated_at = now(),
        status = case when status = 'pending' then 'withdrawn' else status end,
        ended_at = case when status = 'pending' then now() else ended_at end
      where (document_id is not null or status = 'pending') and ${isFormerTeams('license_verifications', 'requested_by')}
      returning id
    )
    delete from media_uses using former where media_uses.license_id = former.id`.execute(db)
}

/** The business has no team, or a later claim replaced the team of the person who created the row. */
const isFormerTeams = (table: string, person: string): RawBuilder<boolean> => sql<boolean>`(
  not exists (select from business_members where business_members.business_id = ${sql.ref(`${table}.business_id`)})
  or (
    not exists (
      select from business_members
      where business_members.business_id = ${sql.ref(`${table}.business_id`)}
        and business_members.user_id = ${sql.ref(`${table}.${person}`)})
    and exists (
      select from claims
      where claims.business_id = ${sql.ref(`${table}.business_id`)} and claims.verification_id is null
        and claims.status = 'approved' and claims.decided_at > ${sql.ref(`${table}.created_at`)})))`
