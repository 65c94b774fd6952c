import { sql } from 'kysely'
import { pageIds } from '#server/db/page-ids.ts'
import { factsById, type ModeratedSubject } from '#server/kernel/moderated-subject.ts'
import { markForSearch } from '#server/kernel/search.ts'

/** Only menu editors and moderators can see hidden items. Decisions affect the business's owner. */
export const moderatedProduct: ModeratedSubject = {
  async find(db, ids) {
    const rows = await db
      .selectFrom('products')
      .leftJoin('business_members', (join) =>
        join.onRef('business_members.business_id', '=', 'products.business_id').on('business_members.role', '=', 'owner'),
      )
      .select(['products.id', 'user_id as userId', 'products.business_id as businessId', 'moderation as state'])
      .select('products.created_at as createdAt')
      .where(sql<boolean>`products.id = ${pageIds(ids)}`)
      .execute()
    return factsById(rows)
  },

  async set(tx, _, id, state) {
    await tx
      .updateTable('products')
      .set({ moderation: state })
      .where('id', '=', id)
      .where(sql<boolean>`moderation is distinct from ${state}`)
      .execute()
    await markForSearch(tx, 'product', [id])
  },

  async preview(db, ids) {
    const rows = await db
      .selectFrom('products')
      .innerJoin('businesses', 'businesses.id', 'products.business_id')
      .select(['products.id', 'products.name', 'brand', 'strain', 'products.description', 'products.image_id', 'businesses.name as shop'])
      .where(sql<boolean>`products.id = ${pageIds(ids)}`)
      .execute()
    return new Map(
      rows.map(({ id, name, brand, strain, description, image_id, shop }) => [
        id,
        {
          title: name,
          text: [shop, brand, strain, description].filter(Boolean).join('\n'),
          mediaIds: image_id === null ? [] : [image_id],
          path: `/product/${id}`,
          context: [],
        },
      ]),
    )
  },
}
