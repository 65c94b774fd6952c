import { type Kysely, sql } from 'kysely'

/** People whom a business's owner had blocked kept a seat at its events, which they could neither see nor give up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const blocked = sql`
    from event_rsvps
      join events on events.id = event_rsvps.event_id
      join business_members owning on owning.business_id = events.business_id and owning.role = 'owner'
      join person_blocks on person_blocks.blocker_id = owning.user_id and person_blocks.blocked_id = event_rsvps.user_id
    where not exists (select from business_members helping
      where helping.business_id = events.business_id and helping.user_id = event_rsvps.user_id)`
  // Locks the events first and by ID, as RSVPs do, to prevent deadlocks with running nodes.
  await sql`select from events where id in (select events.id ${blocked}) order by id for no key update`.execute(db)
  await sql`
    with gone as (
      delete from event_rsvps where (event_id, user_id) in (select event_rsvps.event_id, event_rsvps.user_id ${blocked}) returning event_id)
    update events set going_count = going_count - ended.count
    from (select event_id, count(*)::int as count from gone group by event_id) ended where events.id = ended.event_id`.execute(db)
}
