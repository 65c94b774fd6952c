import { sql } from 'kysely'
import { pageIds } from '#server/db/page-ids.ts'
import { factsById, type ModeratedSubject } from '#server/kernel/moderated-subject.ts'

/** Held and hidden events are visible only to the team, and removed ones to no one. */
export const moderatedEvent: ModeratedSubject = {
  async find(db, ids) {
    const rows = await db
      .selectFrom('events')
      .select(['id', 'created_by as userId', 'business_id as businessId', 'moderation as state', 'created_at as createdAt'])
      .where(sql<boolean>`id = ${pageIds(ids)}`)
      .execute()
    return factsById(rows)
  },

  async set(tx, ctx, id, state) {
    const event = await tx.selectFrom('events').select('moderation').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
    if (!event || event.moderation === state) return
    await tx.updateTable('events').set({ moderation: state, updated_at: ctx.clock.now() }).where('id', '=', id).execute()
    // A held event is announced now; people who already know are not notified again.
    if (event.moderation === 'held' && state === null) await ctx.events.publish(tx, 'event.announced', { eventId: id })
    if (state === null) await ctx.events.publish(tx, 'event.shown', { eventId: id })
  },

  async preview(db, ids) {
    const rows = await db
      .selectFrom('events')
      .innerJoin('businesses', 'businesses.id', 'events.business_id')
      .select(['events.id', 'events.title', 'events.description', 'events.venue', 'events.city', 'events.cancel_note', 'events.created_at'])
      .select('businesses.name as business_name')
      .where(sql<boolean>`events.id = ${pageIds(ids)}`)
      .execute()
    return new Map(
      rows.map((row) => {
        const place = [row.venue, row.city].filter(Boolean).join(', ')
        const text = [row.description, place, row.cancel_note].filter(Boolean).join('\n\n')
        const own = { author: row.business_name, text: `${row.title}\n\n${text}`, createdAt: row.created_at.toISOString(), isSubject: true }
        return [row.id, { title: row.title, text, mediaIds: [], path: `/events/${row.id}`, context: [own] }]
      }),
    )
  },
}
