import type { BusinessSummary } from '#contracts/businesses.ts'
import type { FeedPost } from '#contracts/posts.ts'
import { demoConsumer, demoPassword } from '#server/features/demo/index.ts'
import type { Sample } from './routes.ts'
import { nextCursor, signIn, signUp } from './sign-in.ts'

/** The demo's consumer, and a member with a page of favorites, because demo accounts can't add real businesses to their favorites. */
export type Visitor = { cookie: string; memberCookie: string; sample: Sample }

const favorites = 20
/** Number of connections that write concurrently. */
const likeable = 32

/** Signs in the demo's consumer, who has a full feed, and creates the member. */
export async function prepareVisitor(origin: string): Promise<Visitor> {
  const cookie = await signIn(origin, demoConsumer, demoPassword).catch((error: Error) => {
    throw new Error(`The demo content is missing; npm run demo:load loads it. (${error.message})`)
  })
  const memberCookie = await signUp(origin)
  const send = async (method: string, path: string, body?: object, as = cookie) => {
    const answer = await fetch(origin + path, {
      method,
      headers: { cookie: as, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const businesses = (await (await send('GET', `/api/businesses?limit=${favorites}`)).json()) as BusinessSummary[]
  for (const business of businesses) await send('POST', '/api/favorites', { businessId: business.id }, memberCookie)

  const feed = await send('GET', '/api/feed')
  const cursor = nextCursor(feed)
  const all = [...((await feed.json()) as FeedPost[]), ...((await (await send('GET', `/api/feed?cursor=${cursor}`)).json()) as FeedPost[])]
  const discussed = all.find(({ commentsCount, business }) => commentsCount > 1 && business)
  const person = all.find(({ author, reason }) => author && reason.kind === 'person')?.author
  const posts = all.filter(({ isLocked }) => !isLocked).slice(0, likeable)
  // If the posts were liked already, the first writes would be no-ops.
  for (const { id } of posts) await send('DELETE', `/api/posts/${id}/like`)
  if (!cursor || !discussed?.business || !person || posts.length < likeable) throw new Error('The feed of the demo account is too short.')
  return {
    cookie,
    memberCookie,
    sample: {
      businessSlug: businesses[0]?.slug as string,
      shopSlug: discussed.business.slug,
      personId: person.id,
      postId: discussed.id,
      likeable: posts.map(({ id }) => id),
      feedCursor: cursor,
    },
  }
}
