import path from 'node:path'
import { projectRoot } from '../../config.ts'
import type { Context } from '../../kernel/context.ts'
import { importLicenses } from './import-licenses.ts'

const shippedFile = path.join(projectRoot, 'data/licenses-us.csv')
export const shippedSource = 'Public license records collected by Cannlytics'

/**
 * Loads the license file that comes with the product, unless an import was ever finished. A first start that was killed on
 * the way is made up for by the next one.
 */
export async function loadShippedDirectory(
  ctx: Pick<Context, 'db' | 'clock' | 'config' | 'cache' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  const finished = await ctx.db.selectFrom('license_imports').select('id').where('finished_at', 'is not', null).limit(1).executeTakeFirst()
  if (finished) return
  const { listings } = await importLicenses(ctx, {
    file: shippedFile,
    source: shippedSource,
    dataDir: ctx.config.dataDir,
    ...(signal ? { signal } : {}),
  })
  ctx.cache.invalidate('businesses')
  ctx.log.info({ listings: listings.added }, 'the directory was loaded')
}
