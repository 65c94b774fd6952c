import { withDatabase } from '#server/commands/run-command.ts'
import { UserFacingError } from '#server/error-line.ts'
import { shapeOf } from './dataset-shape.ts'
import { itemsPerMenu, loadProductDataset } from './products-dataset.ts'

/** First step of `npm run bench:products`: fills an empty database with menus of this many items in all. */
await withDatabase(async ({ db, database }) => {
  const items = Number(process.argv[2])
  if (await db.selectFrom('businesses').select('id').limit(1).executeTakeFirst()) throw new UserFacingError('The database is not empty.')
  await loadProductDataset(db, database.url, shapeOf(0, new Date()), Math.max(1, Math.round(items / itemsPerMenu)))
})
