import type { Db } from '../../db/connect.ts'

/** What everybody is shown of a business in a word or two. A farm is placed by its city, whatever its owner wrote. */
export async function previewedBusiness(db: Db, slug: string) {
  const row = await db
    .selectFrom('businesses')
    .select(['id', 'type', 'name', 'location', 'city', 'state'])
    .where('slug', '=', slug)
    .where('moderation', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, type, name, location, city, state } = row
  return { id, type, name, city: (city && [city, state].filter(Boolean).join(', ')) || (type === 'farm' ? null : location) }
}

/** How many addresses a sitemap may hold. */
export const sitemapSize = 50_000

/** Demo businesses are fictional, and what moderators hold or hide is not shown: neither is to be found. */
const listed = (db: Db) => db.selectFrom('businesses').where('moderation', 'is', null).where('is_demo', '=', false)

/** The first id of each sitemap, in the order of ids. By the index of the primary key alone where the table is large. */
export async function sitemapStarts(db: Db, size = sitemapSize): Promise<string[]> {
  const starts: string[] = []
  let after: string | null = null
  for (;;) {
    const first: { id: string } | undefined = await listed(db)
      .select('id')
      .$if(after !== null, (query) => query.where('id', '>', after as string))
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!first) return starts
    starts.push(first.id)
    const last: { id: string } | undefined = await listed(db)
      .select('id')
      .where('id', '>=', first.id)
      .orderBy('id')
      .offset(size - 1)
      .limit(1)
      .executeTakeFirst()
    if (!last) return starts
    after = last.id
  }
}

/** A stretch of a sitemap from an id on: addresses, and the day of their last change. */
export const sitemapRows = (db: Db, from: string, limit: number, isAfter: boolean) =>
  listed(db)
    .select(['id', 'slug', 'updated_at'])
    .where('id', isAfter ? '>' : '>=', from)
    .orderBy('id')
    .limit(limit)
    .execute()
