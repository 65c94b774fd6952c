import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Claims are approved by the code sent to the contact or by a moderator. Only the code proves control of a license.
  await sql`
    alter table claims
      add column proof text check (proof in ('code', 'review')),
      add constraint only_approved_claims_are_proven check (proof is null or status = 'approved')`.execute(db)
  // The moderator's account may be deleted, but the audit log keeps who approved the claim.
  await sql`
    update claims set proof = case when method <> 'review' and decided_by is null and exists (
      select from audit_log
      where subject_type = 'claim' and subject_id = claims.id and action = 'claim.approved' and actor_id = claims.user_id
    ) then 'code' else 'review' end
    where status = 'approved'`.execute(db)
}
