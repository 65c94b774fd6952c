import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { moderatedComment } from '#server/features/comments/comment.moderated.ts'
import { moderatedHuntComment } from '#server/features/hunts/hunts.moderated.ts'
import { moderatedPost } from '#server/features/posts/post.moderated.ts'
import { moderatedReview } from '#server/features/reviews/review.moderated.ts'
import type { ModeratedSubject, ModerationState } from '#server/kernel/moderated-subject.ts'
import { findWrongCounters } from '#tests/support/counters.ts'
import { addReportableContent, moderationCalls } from '#tests/support/moderation.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let people: TestPerson[]
let things: Awaited<ReturnType<typeof addReportableContent>>

beforeAll(async () => {
  test = await startTestApp()
  people = [await test.signUp(), await test.signUp(), await moderationCalls(test).moderator()]
  things = await addReportableContent(test, people[0] as TestPerson)
})
afterAll(() => test?.close())

const subjects: { table: 'posts' | 'comments' | 'reviews' | 'hunt_comments'; of: ModeratedSubject }[] = [
  { table: 'posts', of: moderatedPost },
  { table: 'comments', of: moderatedComment },
  { table: 'reviews', of: moderatedReview },
  { table: 'hunt_comments', of: moderatedHuntComment },
]

const step = fc.record({
  by: fc.nat(2),
  does: fc.constantFrom('set', 'set', 'set', 'comment', 'reply', 'like', 'unlike', 'rate', 'unrate', 'hunt', 'delete', 'delete hunt'),
  kind: fc.nat(3),
  state: fc.constantFrom<(ModerationState | null)[]>(null, null, 'held', 'hidden', 'removed'),
  which: fc.nat(50),
})
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

async function idOf(table: (typeof subjects)[number]['table'], which: number): Promise<string | undefined> {
  const rows = await test.db.selectFrom(table).select('id').orderBy('id').execute()
  return rows[which % Math.max(1, rows.length)]?.id
}

/** Returns the status. Likes of hidden content and replies to it may get 404; only a 5xx is a failure. */
async function take({ by, does, kind, state, which }: Step): Promise<number> {
  const as = people[by] as TestPerson
  const { post, hunt } = things.ids
  const call = async (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
    (await test.request(method, url, as, body)).statusCode
  const comment = await idOf('comments', which)
  switch (does) {
    case 'set': {
      const subject = subjects[kind] as (typeof subjects)[number]
      const id = await idOf(subject.table, which)
      if (id) await inTransaction(test.db, (tx) => subject.of.set(tx, test.ctx, id, state))
      return 200
    }
    case 'comment':
      return call('POST', `/api/posts/${post}/comments`, { content: 'Words' })
    case 'reply':
      return comment ? call('POST', `/api/posts/${post}/comments`, { content: 'Words', parentId: comment }) : 200
    case 'delete':
      return comment ? call('DELETE', `/api/comments/${comment}`) : 200
    case 'like':
      return call('PUT', `/api/posts/${post}/like`)
    case 'unlike':
      return call('DELETE', `/api/posts/${post}/like`)
    case 'rate':
      return call('PUT', `/api/businesses/${things.shop.id}/rating`, { rating: 1 + (which % 5), review: 'Words' })
    case 'unrate':
      return call('DELETE', `/api/businesses/${things.shop.id}/rating`)
    case 'hunt':
      return call('POST', `/api/pheno-hunts/${hunt}/comments`, { content: 'Words' })
    default: {
      const id = await idOf('hunt_comments', which)
      return id ? call('DELETE', `/api/hunt-comments/${id}`) : 200
    }
  }
}

it('keeps every counter accurate under any concurrent writes, likes, deletes, hides, and restores', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 8 }), async (rounds) => {
      for (const round of rounds) {
        const statuses = await Promise.all(round.map(take))
        expect(statuses.filter((status) => status >= 500)).toEqual([])
        expect(await findWrongCounters(test.db)).toEqual([])
      }
    }),
    { numRuns: 25 },
  )
  // Lists must agree with the counters.
  await inTransaction(test.db, (tx) => moderatedPost.set(tx, test.ctx, things.ids.post, null))
  const reader = people[1] as TestPerson
  const { commentsCount } = (await test.request('GET', `/api/posts/${things.ids.post}`, reader)).json()
  const comments = (await test.request('GET', `/api/posts/${things.ids.post}/comments?limit=100`, reader)).json()
  let shown = 0
  for (const comment of comments) {
    const replies = (await test.request('GET', `/api/comments/${comment.id}/replies?limit=100`, reader)).json()
    const readable = [comment, ...replies].filter((each) => !each.isDeleted && each.moderation === null)
    shown += readable.length
    expect(replies.filter((each: { moderation: unknown }) => each.moderation === null)).toHaveLength(comment.repliesCount)
  }
  expect(shown).toBe(commentsCount)
})
