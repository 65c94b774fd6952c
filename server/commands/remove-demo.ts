import { parseArgs } from 'node:util'
import { UserFacingError } from '#server/error-line.ts'
import { countRealContent, removeDemo } from '#server/features/demo/index.ts'
import { withDatabase } from './run-command.ts'

// npm run demo:remove: removes only the demo content and people's interactions with it. If that includes content of real people, requires
// --with-real-content.

await withDatabase(async ({ db }) => {
  const { values } = parseArgs({ options: { 'with-real-content': { type: 'boolean' } } })
  const counts = Object.entries(await countRealContent({ db })).map(([kind, count]) => `${kind}: ${count}`)
  if (counts.length > 0 && !values['with-real-content']) {
    throw new UserFacingError(
      `This would also delete what real people wrote, uploaded or paid for on demo content: ${counts.join(', ')}. ` +
        'Nothing was removed. To delete it: npm run demo:remove -- --with-real-content',
    )
  }
  const { businesses, people } = await removeDemo({ db })
  console.log(
    businesses + people === 0 ? 'There was no demo content.' : `Removed ${businesses} demo businesses and ${people} demo accounts.`,
  )
})
