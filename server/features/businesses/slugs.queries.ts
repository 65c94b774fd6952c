import type { Db } from '#server/db/connect.ts'

/** One more than the highest number in use for the slug; the unique key catches concurrent inserts. */
export async function nextSlugNumber(db: Db, base: string): Promise<number> {
  const taken = await db
    .selectFrom('businesses')
    .select('slug')
    .where((eb) =>
      eb.or([
        eb('slug', '=', base),
        eb.and([eb('slug', '>=', `${base}-0`), eb('slug', '<', `${base}-:`), eb('slug', '~', `^${base}-[0-9]+$`)]),
      ]),
    )
    .execute()
  if (!taken.some((row) => row.slug === base)) return 1
  return Math.max(1, ...taken.map((row) => Number(row.slug.slice(base.length + 1)))) + 1
}
