import { sql } from 'kysely'
import { loadDemo } from '#server/features/demo/index.ts'
import { loadShippedDirectory } from '#server/features/directory/index.ts'
import { computeTrends } from '#server/features/home/index.ts'
import type { Context } from '#server/kernel/context.ts'

/**
 * Fills a new database before the first visit: the bundled license register and, if enabled, the demo content. The demo is only
 * loaded into a database without businesses, so that it doesn't return after it was removed.
 */
export async function fillNewDatabase(ctx: Context, say: (line: string) => void): Promise<void> {
  const anyBusiness = await ctx.db.selectFrom('businesses').select('id').limit(1).executeTakeFirst()
  if (!anyBusiness) {
    if (ctx.config.demoData && ctx.config.isOnThisMachine) await loadDemo(ctx)
    else if (ctx.config.demoData)
      say('Not loading the demo content: its accounts have a public password, and PUBLIC_URL points beyond this machine.')
    // Trends are computed every 15 minutes; don't make the first visitor wait for that.
    await computeTrends(ctx)
    say('Loading the license register …')
  }
  if (!ctx.config.isOnThisMachine && (await hasDemo(ctx))) {
    say(`Demo accounts can't sign in, because PUBLIC_URL points beyond this machine. Remove the demo content with "npm run demo:remove".`)
  }
  await loadShippedDirectory(ctx)
  // Autovacuum would take minutes to update the statistics. Until then plans assume empty tables, and posts take twice as long.
  if (!anyBusiness) await sql`analyze`.execute(ctx.db)
}

const hasDemo = async ({ db }: Context): Promise<boolean> =>
  (await db.selectFrom('users').select('id').where('is_demo', '=', true).limit(1).executeTakeFirst()) !== undefined
