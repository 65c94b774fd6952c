import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A code can also prove control of a license without a listing: such a claim belongs to a verification request.
  await sql`
    alter table claims
      add column verification_id uuid references license_verifications on delete cascade,
      add constraint license_proofs_are_by_code check (verification_id is null or (method <> 'review' and not is_dispute))`.execute(db)
  await sql`drop index claims_one_open`.execute(db)
  await sql`
    create unique index claims_one_open on claims (business_id, user_id) where status = 'open' and verification_id is null`.execute(db)
  await sql`
    create unique index claims_one_open_proof on claims (verification_id) where status = 'open' and verification_id is not null`.execute(db)
  await sql`create index claims_of_verification on claims (verification_id) where verification_id is not null`.execute(db)

  await sql`
    alter table license_verifications
      drop constraint license_verifications_status_check,
      add constraint license_verifications_status_check check (status in
        ('pending', 'verified', 'rejected', 'withdrawn', 'superseded', 'expired', 'revoked', 'unproven')),
      drop constraint license_verifications_basis_check,
      -- 'register' means only a match, which used to be sufficient.
      add constraint license_verifications_basis_check check (basis in ('register', 'code', 'document')),
      drop constraint verified_licenses_say_how,
      add constraint verified_licenses_say_how
        check (status not in ('verified', 'superseded', 'expired', 'revoked', 'unproven')
          or (basis is not null and verified_at is not null and checked_at is not null)),
      -- Not validated for existing rows: the next start ends those, and records each step in the audit log.
      add constraint verified_licenses_are_proven check (status <> 'verified' or basis <> 'register') not valid`.execute(db)

  await sql`
    alter table notifications
      drop constraint notifications_type_check,
      add constraint notifications_type_check check (type in
        ('business_post', 'farm_update', 'harvest_ready', 'new_product', 'product_update', 'person_post', 'like', 'comment',
         'reply', 'follow', 'subscriber', 'review', 'review_reply', 'helpful',
         'license_verified', 'license_rejected', 'license_expiring', 'license_ended', 'license_unproven',
         'hunt_shared', 'hunt_comment', 'community_request', 'community_joined', 'community_invitation', 'answer_accepted',
         'message', 'message_request', 'moderation_notice', 'appeal_decided'))`.execute(db)

  // 'check': a rule flagged visible content, such as a possible duplicate.
  await sql`
    alter table moderation_cases
      drop constraint moderation_cases_source_check,
      add constraint moderation_cases_source_check check (source in ('report', 'filter', 'check'))`.execute(db)

  // Breaks ties in every ranked list: see server/features/businesses/search.queries.ts.
  await sql`
    alter table businesses
      add column license_trust smallint not null generated always as
        (case when is_demo then 0 when license_verified_through is not null then 2 when license_standing = 'listed' then 1 else 0 end) stored`.execute(
    db,
  )
  for (const index of ['ranked', 'ranked_by_type', 'ranked_by_state', 'by_pin', 'featured']) {
    await sql`drop index ${sql.ref(`businesses_${index}`)}`.execute(db)
  }
  await sql`create index businesses_ranked on businesses (rating_score desc, license_trust desc, id desc)`.execute(db)
  await sql`create index businesses_ranked_by_type on businesses (type, rating_score desc, license_trust desc, id desc)`.execute(db)
  await sql`create index businesses_ranked_by_state on businesses (state, rating_score desc, license_trust desc, id desc)`.execute(db)
  await sql`
    create index businesses_by_pin on businesses (pin_latitude, pin_longitude)
      include (id, rating_score, license_trust, type, license_standing, pin_precision)`.execute(db)
  await sql`
    create index businesses_featured on businesses (rating_score desc, license_trust desc, id desc) where total_ratings >= 5`.execute(db)

  await sql`create index licenses_by_name on licenses (state, name_key) where business_id is not null`.execute(db)
}
