import { sql } from 'kysely'
import { loadDemo } from '../features/demo/index.ts'
import { loadShippedDirectory } from '../features/directory/index.ts'
import { computeTrends } from '../features/home/index.ts'
import type { Context } from '../kernel/context.ts'

/**
 * What a new database is filled with before anybody comes: the license register that ships with the product, and the
 * demo content where it is wanted. Only a database without businesses gets the latter: who removed it does not meet it again.
 */
export async function fillNewDatabase(ctx: Context, say: (line: string) => void): Promise<void> {
  const anyBusiness = await ctx.db.selectFrom('businesses').select('id').limit(1).executeTakeFirst()
  if (!anyBusiness) {
    if (ctx.config.demoData) await loadDemo(ctx)
    // What trends is counted every quarter of an hour; the first visitor does not wait for that.
    await computeTrends(ctx)
    say('Loading the license register …')
  }
  await loadShippedDirectory(ctx)
  // The database finds out by itself within minutes how much there is. Until then its plans are for empty tables, and posts take twice as long.
  if (!anyBusiness) await sql`analyze`.execute(ctx.db)
}
