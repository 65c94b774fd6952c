import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A photo of an imported hunt that hasn't arrived yet, with the log that it belongs to or the score that it will be.
  await sql`
    create table awaited_photos (
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      file text not null check (file <> ''),
      alt text not null default '',
      log_id uuid references grow_logs on delete cascade,
      position smallint check (position between 0 and 9),
      trait_id uuid references traits on delete cascade,
      plant_id uuid references plants on delete cascade,
      run_id uuid references runs on delete set null,
      observed_on date,
      note text not null default '',
      is_blind boolean not null default false,
      recorded_at timestamptz(3),
      scorer text check (char_length(scorer) between 1 and 120),
      constraint awaited_for_log_or_score check (
        case when log_id is not null then position is not null and trait_id is null and plant_id is null
        else trait_id is not null and plant_id is not null and observed_on is not null and recorded_at is not null end)
    )`.execute(db)
  await sql`create index awaited_photos_of_hunt on awaited_photos (hunt_id, id)`.execute(db)
  for (const column of ['log_id', 'trait_id', 'plant_id', 'run_id'] as const) {
    const name = sql.ref(`awaited_photos_of_${column.replace('_id', '')}`)
    await sql`create index ${name} on awaited_photos (${sql.ref(column)}) where ${sql.ref(column)} is not null`.execute(db)
  }
}
