import type { Db } from '../../db/connect.ts'

/** One more than the highest number that the slug's namesakes carry; two at once are told apart by the unique key. */
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
