import { type Kysely, sql } from 'kysely'

/** Decided reports of people who have reported the same again. Their cases may still be appealed or opened again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table earlier_reports (
      id uuid primary key,
      case_id uuid not null references moderation_cases on delete cascade,
      reporter_id uuid not null references users on delete cascade,
      subject text not null,
      subject_id uuid not null,
      reason text not null,
      details text not null,
      created_at timestamptz(3) not null,
      resolved_at timestamptz(3)
    )`.execute(db)
  await sql`create index earlier_reports_of_case on earlier_reports (case_id, created_at, id)`.execute(db)
  await sql`create index earlier_reports_of_reporter on earlier_reports (reporter_id, created_at desc, id desc)`.execute(db)
}
