import path from 'node:path'
import type { BenchRequest } from './latency.ts'
import { save } from './report.ts'
import { nextCursor } from './sign-in.ts'
import { compareSizes, requireMaxRatio, rounds, type Side, type SizeFigure, seconds, sizes, withBothSizes } from './two-sizes.ts'

/**
 * `npm run bench:feed [-- --small 10000 --large 1000000 --rounds 5 --seconds 4 --keep FOLDER]`: times the feed of a person who follows the
 * same number of businesses and people at both sizes. FOLDER keeps the databases for the next run; without it, they are temporary.
 */
const maxRatio = 1.3

const startedAt = new Date()
await withBothSizes(async (small, large) => {
  const figures: SizeFigure[] = []
  for (const page of ['first', 'second'] as const) {
    const ask = async (side: Side): Promise<BenchRequest> => ({ url: await addressOf(side, page), headers: side.headers })
    const asked = [await ask(small), await ask(large)] as const
    for (const connections of [1, 64]) figures.push(await compareSizes(`${page} page`, asked, connections))
  }
  console.log(`Written to ${path.relative(process.cwd(), save({ sizes, rounds, seconds, maxRatio, figures }, startedAt, 'feed'))}`)
  requireMaxRatio(figures, maxRatio)
})

async function addressOf({ posts, origin, headers }: Side, page: 'first' | 'second'): Promise<string> {
  const first = `${origin}/api/feed`
  if (page === 'first') return first
  const cursor = nextCursor(await fetch(first, { headers }))
  if (cursor === null) throw new Error(`The feed of ${posts} posts has one page.`)
  return `${first}?cursor=${cursor}`
}
