import { loadShippedDirectory } from '../features/directory/index.ts'
import type { Context } from '../kernel/context.ts'

/** What a new database is filled with before anybody comes: the license register that ships with the product. */
export async function fillNewDatabase(ctx: Context, say: (line: string) => void): Promise<void> {
  const anyBusiness = await ctx.db.selectFrom('businesses').select('id').limit(1).executeTakeFirst()
  if (!anyBusiness) say('Loading the license register …')
  await loadShippedDirectory(ctx)
}
