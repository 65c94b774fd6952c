import { sql } from 'kysely'
import { pageIds } from '#server/db/page-ids.ts'
import { factsById, type ModeratedSubject, type ModerationState } from '#server/kernel/moderated-subject.ts'
import { bylineColumns, unmoderatedName } from './byline.ts'

/**
 * If a profile is hidden, others see "Member" without a picture or bio everywhere. The person still sees it, so that they can change it.
 */
export const moderatedPerson: ModeratedSubject = {
  async find(db, ids) {
    const rows = await db
      .selectFrom('users')
      .leftJoin('account_deletions', 'account_deletions.user_id', 'users.id')
      .select(['users.id', 'users.id as userId', 'users.created_at as createdAt'])
      // For accounts pending deletion, this is the state to restore if the deletion is canceled.
      .select(
        sql<ModerationState | null>`
          case when users.leaves_at is null then users.profile_moderation else account_deletions.profile_moderation end`.as('state'),
      )
      .where(sql<boolean>`users.id = ${pageIds(ids)}`)
      .execute()
    return factsById(rows)
  },

  async set(tx, _ctx, id, state) {
    const person = await tx.selectFrom('users').select('leaves_at').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
    if (person?.leaves_at) {
      await tx.updateTable('account_deletions').set({ profile_moderation: state }).where('user_id', '=', id).execute()
      return
    }
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
          title: unmoderatedName(row),
          text: [row.bio, row.interests.join(', ')].filter(Boolean).join('\n'),
          mediaIds: row.image_id === null ? [] : [row.image_id],
          path: `/people/${row.id}`,
          context: [],
        },
      ]),
    )
  },
}
