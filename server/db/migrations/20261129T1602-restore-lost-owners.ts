import { type Kysely, sql } from 'kysely'

/** A transfer to someone who helped through the owner's group left the business without an owner. The audit log says whose it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into business_members (business_id, user_id, role, created_at)
    select last_transfer.business_id, users.id, 'owner', last_transfer.at
    from (
      select distinct on (businesses.id) businesses.id as business_id, audit_log.subject_id, audit_log.at
      from audit_log
      left join business_redirects on business_redirects.from_id = audit_log.business_id
      join businesses on businesses.id = coalesce(business_redirects.business_id, audit_log.business_id)
      where action = 'team.transferred' and businesses.claimed_at is not null
      order by businesses.id, audit_log.sequence desc
    ) last_transfer
    join users on users.id = last_transfer.subject_id
    where not exists (
      select from business_members owner where owner.business_id = last_transfer.business_id and owner.role = 'owner')
    on conflict (business_id, user_id) do update set role = 'owner', via_group_id = null`.execute(db)
}
