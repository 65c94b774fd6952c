import { parseArgs } from 'node:util'
import { UserFacingError } from '#server/error-line.ts'
import { countRealContent, removeDemo } from '#server/features/demo/index.ts'
import { withDatabase } from './run-command.ts'

// npm run demo:remove: removes only the demo content and people's interactions with it. If real people wrote any of these, requires
// --with-real-content, because what they wrote is deleted, too.

await withDatabase(async ({ db }) => {
  const { values } = parseArgs({ options: { 'with-real-content': { type: 'boolean' } } })
  const { posts, comments, reviews } = await countRealContent({ db })
  if (posts + comments + reviews > 0 && !values['with-real-content']) {
    throw new UserFacingError(
      `Real people wrote on demo content, and this would be deleted, too: posts: ${posts}, comments: ${comments}, reviews: ${reviews}. ` +
        'Nothing was removed. To delete it: npm run demo:remove -- --with-real-content',
    )
  }
  const { businesses, people } = await removeDemo({ db })
  console.log(
    businesses + people === 0 ? 'There was no demo content.' : `Removed ${businesses} demo businesses and ${people} demo accounts.`,
  )
})
