import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import type { Poll } from '#contracts/posts.ts'
import { setNow } from '#web/ui/ago.tsx'

vi.mock('#web/lib/boot.ts', () => ({ boot: { user: null, answers: [] } }))

const { closingWords, PollBox, sharesOf, withVote } = await import('./poll-box.tsx')

it('shows percentages that add up to 100 for any votes', () => {
  expect(sharesOf([1, 1, 1])).toEqual([34, 33, 33])
  expect(sharesOf([2, 1])).toEqual([67, 33])
  expect(sharesOf([0, 0])).toEqual([0, 0])
  fc.assert(
    fc.property(fc.array(fc.nat(10_000), { minLength: 2, maxLength: 10 }), (counts) => {
      const shares = sharesOf(counts)
      const total = counts.reduce((sum, count) => sum + count, 0)
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total === 0 ? 0 : 100)
      for (const [at, share] of shares.entries())
        expect(Math.abs(share - (total === 0 ? 0 : ((counts[at] ?? 0) * 100) / total))).toBeLessThan(1)
    }),
  )
})

const poll = (myVote: number | null, counts: (number | null)[]): Poll => ({
  options: counts.map((votesCount, position) => ({ position, label: `Option ${position}`, votesCount })),
  votesCount: 5,
  closesAt: null,
  isClosed: false,
  myVote,
})
const counts = (of: Poll) => of.options.map(({ votesCount }) => votesCount)

it('moves a vote if counts are visible, and doesn’t invent counts if they aren’t', () => {
  expect(withVote(poll(0, [3, 2]), 1)).toMatchObject({ myVote: 1, votesCount: 5 })
  expect(counts(withVote(poll(0, [3, 2]), 1))).toEqual([2, 3])
  expect(withVote(poll(null, [null, null]), 1)).toMatchObject({ myVote: 1, votesCount: 6 })
  expect(counts(withVote(poll(null, [null, null]), 1))).toEqual([null, null])
  expect(counts(withVote(poll(0, [3, 2]), null))).toEqual([null, null])
  expect(withVote(poll(0, [3, 2]), null).votesCount).toBe(4)
  expect(withVote(poll(0, [3, 2]), 0)).toEqual(poll(0, [3, 2]))
})

it('states when a poll closes', () => {
  const now = new Date('2026-03-01T12:00:00Z')
  const words = (closesAt: string | null, isClosed = false) => closingWords({ closesAt, isClosed }, now)
  expect(words('2026-03-08T12:00:00Z')).toBe('Closes in 7 days')
  expect(words('2026-03-02T12:00:00Z')).toBe('Closes in 24 hours')
  expect(words('2026-03-01T12:10:00Z')).toBe('Closes in 10 minutes')
  expect(words('2026-03-01T12:01:20Z')).toBe('Closes in 1 minute')
  expect(words('2026-03-01T12:00:30Z')).toBe('Closes within a minute')
  expect(words('2026-03-01T12:00:00Z')).toBe('Closed')
  expect(words('2026-03-08T12:00:00Z', true)).toBe('Closed')
  expect(words(null)).toBe('Open')
})

it('asks for no votes once the poll has closed, even if its page was opened before', () => {
  const closesAt = '2026-03-01T12:00:00Z'
  const htmlAt = (at: string, of: Poll) => {
    setNow(Date.parse(at))
    const box = createElement(PollBox, { post: { id: '1', title: 'Which pot?' }, poll: { ...of, closesAt }, mayVote: true })
    return renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, box))
  }
  const hidden = poll(null, [null, null])
  expect(htmlAt('2026-03-01T11:00:00Z', hidden)).toContain('Vote to see the results')
  expect(htmlAt('2026-03-01T11:00:00Z', poll(0, [3, 2]))).toContain('Remove vote')
  const closed = htmlAt('2026-03-01T12:01:00Z', hidden)
  expect(closed).toContain('Closed')
  expect(closed).not.toMatch(/Vote to see the results|radio/)
  expect(htmlAt('2026-03-01T12:01:00Z', poll(0, [3, 2]))).not.toMatch(/Change vote|Remove vote/)
})
