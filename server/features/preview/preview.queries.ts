import type { Db } from '#server/db/connect.ts'

/** The public facts in a preview. A farm is located by its city, even if its row has an address. */
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

/** The limit of URLs per sitemap in the sitemap protocol. */
export const sitemapSize = 50_000

/** Excludes demo businesses, which are fictional, and businesses held or hidden by moderators. */
const listed = (db: Db) => db.selectFrom('businesses').where('moderation', 'is', null).where('is_demo', '=', false)

/** The first id of each sitemap, in id order. An index-only scan of the primary key on large tables. */
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

/** A batch of a sitemap from an id on: URLs with the day of their last change. */
export const sitemapRows = (db: Db, from: string, limit: number, isAfter: boolean) =>
  listed(db)
    .select(['id', 'slug', 'updated_at'])
    .where('id', isAfter ? '>' : '>=', from)
    .orderBy('id')
    .limit(limit)
    .execute()
