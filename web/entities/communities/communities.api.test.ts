import { QueryObserver } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import type { Community } from '#contracts/communities.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { afterLeaving, afterRequesting, communityOptions, refreshPostCounts } from './communities.api.ts'

const nothing = { post: false, leave: false, invite: false, moderate: false, edit: false, delete: false }

const community = (visibility: Community['visibility']): Community => ({
  id: '0190a1b2-0000-7000-8000-000000000001',
  slug: 'slow-dry-club',
  name: 'Slow Dry Club',
  description: 'Words',
  category: 'growing',
  memberCount: 4,
  postCount: visibility === 'public' ? 2 : null,
  isVerified: false,
  imageUrl: null,
  visibility,
  rules: [],
  createdAt: '2026-11-01T00:00:00.000Z',
  isDemo: false,
  isHidden: false,
  myRole: null,
  mutedUntil: null,
  isRequested: false,
  isInvited: false,
  requestsCount: null,
  abilities: { ...nothing, read: visibility === 'public', join: visibility === 'public', request: visibility === 'invite_only' },
})

it('restores the earlier state when a person leaves after joining', () => {
  const before = community('public')
  const abilities = { ...before.abilities, post: true, join: false, leave: true }
  expect(afterLeaving({ ...before, myRole: 'member', memberCount: 5, abilities })).toEqual(before)
})

it('restores the earlier state when a person withdraws a join request', () => {
  const before = community('invite_only')
  expect(afterRequesting(before)).toMatchObject({ isRequested: true, memberCount: 4, abilities: { request: false } })
  expect(afterLeaving(afterRequesting(before))).toEqual(before)
})

it('counts a new post once if a response in flight already includes it', async () => {
  const before = community('public')
  const options = communityOptions(before.id)
  queryClient.setQueryData(options.queryKey, before)
  vi.stubGlobal('fetch', async () => Response.json({ ...before, postCount: 3 }))
  const close = new QueryObserver(queryClient, { ...options, staleTime: Number.POSITIVE_INFINITY }).subscribe(() => undefined)
  const inFlight = queryClient.refetchQueries({ queryKey: options.queryKey })
  await Promise.all([inFlight, refreshPostCounts(queryClient)])
  expect(queryClient.getQueryData(options.queryKey)?.postCount).toBe(3)
  close()
  vi.unstubAllGlobals()
})
