import { MutationObserver, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import type { Community } from '#contracts/communities.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { afterLeaving, afterRequesting, communityOptions, showCommunity } from './communities.api.ts'
import { JoinButton, membershipOptions } from './join-button.tsx'

const nothing = { post: false, leave: false, invite: false, moderate: false, edit: false, delete: false }

const open: Community = {
  id: '0190a1b2-0000-7000-8000-000000000001',
  slug: 'slow-dry-club',
  name: 'Slow Dry Club',
  description: 'Words',
  category: 'growing',
  memberCount: 4,
  postCount: null,
  isVerified: false,
  imageUrl: null,
  visibility: 'invite_only',
  rules: [],
  createdAt: '2026-11-01T00:00:00.000Z',
  isDemo: false,
  isHidden: false,
  myRole: null,
  mutedUntil: null,
  isRequested: false,
  isInvited: false,
  requestsCount: null,
  abilities: { ...nothing, read: false, join: false, request: true },
}
const requested = afterRequesting(open)
const { queryKey } = communityOptions(open.id)
const shown = () => queryClient.getQueryData(queryKey)
const ask = (isAccepted: boolean) => ({ step: { kind: 'join' as const, message: '' }, isAccepted })
const cancel = (isAccepted: boolean) => ({ step: { kind: 'leave' as const }, isAccepted })
type Press = ReturnType<typeof ask> | ReturnType<typeof cancel>

afterEach(() => queryClient.clear())

it('offers to join after an invitation, even if the person had asked to join before', () => {
  const shows = (community: Community) => {
    const button = createElement(JoinButton, { community })
    return renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, button))
  }
  expect(shows(requested)).toContain('Requested')
  const invited = { ...requested, isInvited: true, abilities: { ...requested.abilities, join: true } }
  expect(shows(invited)).toContain('Join Community')
  expect(shows(invited)).not.toContain('Requested')
})

/** Makes all presses before the first is answered. @returns what is shown after the last answer */
async function press(from: Community, presses: Press[]) {
  showCommunity(queryClient, from)
  const requests: PromiseWithResolvers<Community | undefined>[] = []
  const onFailed = vi.fn()
  const pressed = presses.map(({ step }) => {
    const options = membershipOptions(queryClient, shown() ?? from, {
      save: () => {
        const request = Promise.withResolvers<Community | undefined>()
        requests.push(request)
        return request.promise
      },
      onSaved: () => {},
      onFailed,
    })
    return new MutationObserver(queryClient, options).mutate(step).catch(() => undefined)
  })
  for (const [at, { step, isAccepted }] of presses.entries()) {
    await vi.waitFor(() => expect(requests.length).toBe(at + 1))
    if (isAccepted) requests[at]?.resolve(step.kind === 'join' ? requested : undefined)
    else requests[at]?.reject(new Error('Try again soon.'))
    await pressed[at]
  }
  expect(onFailed).toHaveBeenCalledTimes(presses.filter(({ isAccepted }) => !isAccepted).length)
  return shown()
}

it.each([
  ['neither the cancellation nor the new request', requested, [cancel(false), ask(false)], requested],
  ['only the cancellation', requested, [cancel(true), ask(false)], afterLeaving(requested)],
  ['only the new request', requested, [cancel(false), ask(true)], requested],
  ['the cancellation and the new request', requested, [cancel(true), ask(true)], requested],
  ['neither the request nor its cancellation', open, [ask(false), cancel(false)], open],
  ['only the request', open, [ask(true), cancel(false)], requested],
  ['the request and its cancellation', open, [ask(true), cancel(true)], afterLeaving(requested)],
] as const)('shows a join request in the server’s state after the server accepts %s', async (_accepted, from, presses, expected) => {
  expect(await press(from, [...presses])).toEqual(expected)
})
