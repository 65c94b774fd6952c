import path from 'node:path'
import { idsOf } from './dataset-ids.ts'
import { commentsOf, postAt, reviewsOf, shapeOf } from './dataset-shape.ts'
import type { BenchRequest } from './latency.ts'
import { save } from './report.ts'
import { nextCursor } from './sign-in.ts'
import { compareSizes, requireMaxRatio, rounds, type Side, type SizeFigure, seconds, sizes, withBothSizes } from './two-sizes.ts'

/**
 * `npm run bench:flat [-- --small 10000 --large 1000000 --rounds 5 --seconds 4 --keep FOLDER]`: checks whether lists that members read take
 * as long among many posts as among few. The lists are equally long at both sizes, so any difference comes from the other posts. The
 * loader's dataset has no menus: `npm run bench:products` measures product search.
 */
const maxRatio = 1.3

const lists: Record<string, (side: Side) => string | Promise<string>> = {
  feed: () => '/api/feed',
  'feed, second page': (side) => secondPage(side, '/api/feed'),
  notifications: () => '/api/notifications',
  'notifications, second page': (side) => secondPage(side, '/api/notifications'),
  'unread count': () => '/api/notifications/unread-count',
  // The most popular business, with the most posts at each size.
  'business posts': () => '/api/businesses/bench-business-0/posts',
  'business posts, second page': (side) => secondPage(side, '/api/businesses/bench-business-0/posts'),
  comments: async (side) => `/api/posts/${await busyPost(side)}/comments`,
  ratings: (side) => `/api/businesses/bench-business-${reviewedBusiness(side)}/ratings`,
  'search as one types': () => '/api/search/suggestions?q=blue%20dr',
  search: () => '/api/search?q=quiet%20river',
  'Discover near a place': () => '/api/businesses?near=Denver%2C%20CO',
}

const startedAt = new Date()
await withBothSizes(async (small, large) => {
  const figures: SizeFigure[] = []
  for (const [what, addressOf] of Object.entries(lists)) {
    const ask = async (side: Side): Promise<BenchRequest> => ({ url: side.origin + (await addressOf(side)), headers: side.headers })
    const asked = [await ask(small), await ask(large)] as const
    for (const connections of [1, 64]) figures.push(await compareSizes(what, asked, connections))
  }
  console.log(`Written to ${path.relative(process.cwd(), save({ sizes, rounds, seconds, maxRatio, figures }, startedAt, 'flat'))}`)
  requireMaxRatio(figures, maxRatio)
})

async function secondPage({ origin, headers }: Side, list: string): Promise<string> {
  const cursor = nextCursor(await fetch(origin + list, { headers }))
  if (cursor === null) throw new Error(`${list} has one page.`)
  return `${list}?cursor=${cursor}`
}

/** The newest post whose comments fill one page but not two. */
async function busyPost(side: Side): Promise<string> {
  const shape = shapeOf(side.posts, await loadedUntil(side))
  for (let index = side.posts - 1; index >= 0; index--) {
    const post = postAt(shape, index)
    const tops = commentsOf(shape, post).filter(({ parent }) => parent === null).length
    if (tops >= 21 && tops <= 30) return idsOf(shape, '').post(post)
  }
  throw new Error(`No post of ${side.posts} has 21 to 30 comments.`)
}

/** The first business whose ratings fill one page but not two. */
function reviewedBusiness({ posts }: Side): number {
  const shape = shapeOf(posts, new Date(0))
  for (let business = 0; business < shape.businesses; business++) {
    const { length } = reviewsOf(shape, business)
    if (length >= 21 && length <= 30) return business
  }
  throw new Error(`No business among ${posts} posts has 21 to 30 ratings.`)
}

/** The end of the dataset's two years, on which the IDs depend. A kept database may be from another day. */
async function loadedUntil({ posts, origin, headers }: Side): Promise<Date> {
  const answer = await fetch(`${origin}/api/businesses/bench-business-0/posts`, { headers })
  const [newest] = (await answer.json()) as { id: string; createdAt: string }[]
  if (!newest) throw new Error(`The most popular business among ${posts} posts has none.`)
  const index = Number.parseInt(newest.id.slice(-12), 16)
  return new Date(new Date(newest.createdAt).getTime() - postAt(shapeOf(posts, new Date(0)), index).at.getTime())
}
