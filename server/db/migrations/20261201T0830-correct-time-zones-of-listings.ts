import { type Kysely, sql } from 'kysely'

/**
 * Hours that members added got the time zone of most of the state. For listings without an owner, no one could correct it. Lists the towns
 * in the registers that have another zone.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update locations set time_zone = there.zone
    from businesses, (values
      ('OR', 'America/Los_Angeles', 'America/Boise', array['adrian', 'arock', 'brogan', 'harper', 'jamieson', 'jordan valley', 'juntura',
        'nyssa', 'ontario', 'vale', 'westfall']),
      ('NV', 'America/Los_Angeles', 'America/Denver', array['west wendover']),
      ('MI', 'America/New_York', 'America/Menominee', array['bessemer', 'crystal falls', 'iron mountain', 'iron river', 'ironwood',
        'kingsford', 'menominee', 'norway', 'wakefield'])
    ) as there (state, guessed, zone, cities)
    where locations.id = businesses.id and businesses.claimed_at is null
      and businesses.country = 'US' and businesses.state = there.state and lower(businesses.city) = any(there.cities)
      and locations.time_zone = there.guessed`.execute(db)
}
