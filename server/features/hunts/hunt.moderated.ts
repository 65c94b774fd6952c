import { sql } from 'kysely'
import { theseIds } from '#server/db/these-ids.ts'
import type { ModeratedSubject } from '#server/kernel/moderated-subject.ts'

/**
 * Moderation of public hunts: a hidden or removed hunt stays visible to its owner, who keeps their records. Private hunts are
 * invisible to moderators.
 */
export const moderatedHunt: ModeratedSubject = {
  async find(db, ids) {
    const rows = await db
      .selectFrom('hunts')
      .select(['id', 'owner_id', 'moderation', 'created_at'])
      .where(sql<boolean>`id = ${theseIds(ids)}`)
      .where(isSeen)
      .execute()
    return new Map(
      rows.map((row) => [
        row.id,
        { userId: row.owner_id, businessId: null, communityId: null, state: row.moderation, createdAt: row.created_at },
      ]),
    )
  },

  async set(tx, ctx, id, state) {
    await tx
      .updateTable('hunts')
      .set((eb) => ({ moderation: state, updated_at: ctx.clock.now(), version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .where(sql<boolean>`moderation is distinct from ${state}`)
      .execute()
  },

  async preview(db, ids) {
    const rows = await db
      .selectFrom('hunts')
      .select(['id', 'hunt_name', 'breeders', 'goals'])
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .where(isSeen)
      .execute()
    return new Map(
      rows.map((row) => [
        row.id,
        {
          title: row.hunt_name,
          text: [row.breeders.join(', '), row.goals].filter(Boolean).join('\n'),
          mediaIds: [],
          path: `/pheno-hunt/${row.id}`,
          context: [],
        },
      ]),
    )
  },
}

const isSeen = sql<boolean>`(visibility = 'public' or moderation is not null)`
