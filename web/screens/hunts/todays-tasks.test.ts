import { InfiniteQueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { dueTasksOptions } from '#web/entities/hunts/hunts.api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { dueText } from './todays-tasks.tsx'

afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
})

const today = '2026-11-30'
const dueOn = (...days: string[]) => days.map((day) => ({ dueOn: day }))

it.each([
  [dueOn('2026-11-29', today, '2026-12-01'), false, '2 tasks today'],
  [dueOn(today), false, '1 task today'],
  [dueOn('2026-12-01'), true, null],
  [dueOn(today, '2026-12-01'), true, '1 task today'],
  [dueOn('2026-11-29', today), true, '2+ tasks today'],
  [[], false, null],
])('counts tasks due by today among %j (has more pages: %s)', (tasks, hasMore, text) => {
  expect(dueText(tasks, today, hasMore)).toBe(text)
})

it('loads the tasks on later pages', async () => {
  const respond = vi.fn(async (url: string) =>
    url.includes('cursor')
      ? new Response(JSON.stringify([{ id: 'last' }]))
      : new Response(JSON.stringify([{ id: 'first' }]), { headers: { link: '</api/grow-tasks?cursor=next>; rel="next"' } }),
  )
  vi.stubGlobal('fetch', respond)
  const list = new InfiniteQueryObserver(queryClient, dueTasksOptions('2026-12-07'))
  const stop = list.subscribe(() => {})
  await vi.waitFor(() => expect(list.getCurrentResult().isSuccess).toBe(true))
  await list.fetchNextPage()
  expect(list.getCurrentResult().data?.pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(['first', 'last'])
  stop()
})
