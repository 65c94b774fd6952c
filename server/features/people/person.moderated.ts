import { sql } from 'kysely'
import type { ModeratedSubject } from '../moderation/index.ts'
import { bylineColumns, givenName } from './byline.ts'

/**
 * A person's profile as moderators handle it: hidden, others see "Member" without a picture and without words about them, wherever
 * their name stands. To themselves it stays as it is, so that they can change it.
 */
export const moderatedPerson: ModeratedSubject = {
  async find(db, id) {
    const row = await db.selectFrom('users').select(['id', 'profile_moderation', 'created_at']).where('id', '=', id).executeTakeFirst()
    return row && { userId: row.id, businessId: null, communityId: null, state: row.profile_moderation, createdAt: row.created_at }
  },

  async set(tx, _ctx, id, state) {
    await tx
      .updateTable('users')
      .set({ profile_moderation: state })
      .where('id', '=', id)
      .where(sql<boolean>`profile_moderation is distinct from ${state}`)
      .execute()
  },

  async preview(db, ids) {
    const rows = await db
      .selectFrom('users')
      .select(bylineColumns)
      .select(['bio', 'location', 'interests'])
      .where(sql<boolean>`users.id = any(${ids}::uuid[])`)
      .execute()
    return new Map(
      rows.map((row) => [
        row.id,
        {
          title: givenName(row),
          text: [row.bio, row.interests.join(', ')].filter(Boolean).join('\n'),
          mediaIds: row.image_id === null ? [] : [row.image_id],
          path: `/people/${row.id}`,
          context: [],
        },
      ]),
    )
  },
}
