import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Steps marked in the guide's checklist. Steps that records show as done are computed instead, and questions aren't stored at all.
  await sql`
    create table guide_progress (
      user_id uuid primary key references users on delete cascade,
      marked text[] not null default '{}' check (cardinality(marked) <= 30),
      current_step text check (length(current_step) <= 40),
      is_dismissed boolean not null default false,
      uses_model boolean not null default false,
      updated_at timestamptz(3) not null default now()
    )`.execute(db)
}
