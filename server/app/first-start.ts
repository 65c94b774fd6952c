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
    if (ctx.config.demoData && ctx.config.isOnThisMachine) await loadDemo(ctx)
    else if (ctx.config.demoData)
      say('Leaving out the demo content: its accounts have a public password, and PUBLIC_URL is not this machine.')
    // What trends is counted every quarter of an hour; the first visitor does not wait for that.
    await computeTrends(ctx)
    say('Loading the license register …')
  }
  if (!ctx.config.isOnThisMachine && (await hasDemo(ctx))) {
    say('Demo accounts cannot sign in, because PUBLIC_URL is not this machine. Remove the demo content with "npm run demo:remove".')
  }
  await loadShippedDirectory(ctx)
  // The database finds out by itself within minutes how much there is. Until then its plans are for empty tables, and posts take twice as long.
  if (!anyBusiness) await sql`analyze`.execute(ctx.db)
}

const hasDemo = async ({ db }: Context): Promise<boolean> =>
  (await db.selectFrom('users').select('id').where('is_demo', '=', true).limit(1).executeTakeFirst()) !== undefined
