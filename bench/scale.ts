import { withDatabase } from '#server/commands/run-command.ts'
import { UserFacingError } from '#server/error-line.ts'
import { shapeOf } from './dataset-shape.ts'
import { foreignPeople, loadDataset, measured } from './load-dataset.ts'
import { numberOf } from './options.ts'

/**
 * `npm run bench:scale -- --posts 1000000 [--seed 1] [--force]`: fills DATABASE_URL, or the embedded database of DATA_DIR, with
 * people, businesses and posts for benchmarks. The same seed produces the same data on the same day.
 */

await withDatabase(async ({ db, database }) => {
  const posts = numberOf('--posts', 10_000)
  const seed = numberOf('--seed', 1)
  if (!Number.isInteger(posts) || posts < 1000 || posts > 10_000_000)
    throw new UserFacingError('--posts must be a number from 1000 to 10000000.')
  const loaded = await db.selectFrom('businesses').select('id').where('slug', '=', 'bench-business-0').executeTakeFirst()
  if (loaded) throw new UserFacingError('The database already has a dataset. Choose another DATA_DIR or DATABASE_URL.')
  if (!process.argv.includes('--force') && (await foreignPeople(db)) > 0)
    throw new UserFacingError('The database already has other accounts. Choose another DATA_DIR or DATABASE_URL, or add --force.')

  const until = new Date(new Date().setUTCHours(0, 0, 0, 0))
  const shape = shapeOf(posts, until, seed)
  console.log(`${shape.posts} posts, ${shape.people} people, ${shape.businesses} businesses`)
  const startedAt = performance.now()
  await loadDataset(db, database.url, shape)
  const memory = Math.round(process.resourceUsage().maxRSS / 1024)
  console.log(
    `In ${((performance.now() - startedAt) / 1000).toFixed(1)} s, with at most ${memory} MB. Sign in as ${measured.email} with “${measured.password}”.`,
  )
})
