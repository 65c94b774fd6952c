import { expect, it } from 'vitest'
import { NewCommunityPost } from '#contracts/community-posts.ts'
import { bodyOf, emptyPost, givenOptions, messageIn, resolverFor } from './composer-values.ts'

const communityId = '018f3c5e-0000-7000-8000-000000000000'

it('sends options only for a poll, without empty rows', () => {
  const values = { ...emptyPost, title: 'Which?', content: 'Say', options: ['A ', '', ' B'] }
  expect(givenOptions(values.options)).toEqual(['A', 'B'])
  expect(bodyOf(communityId, values).poll).toBeNull()
  expect(bodyOf(communityId, { ...values, postType: 'poll' }).poll).toEqual({ options: ['A', 'B'], closesInDays: 7 })
})

it('sends only the kind and the ID or name of a link', () => {
  const link = { kind: 'hunt', id: communityId, name: 'My hunt', detail: null } as const
  expect(bodyOf(communityId, { ...emptyPost, link }).link).toEqual({ kind: 'hunt', id: communityId })
  expect(bodyOf(communityId, { ...emptyPost, link: { kind: 'strain', id: null, name: 'Haze', detail: null } }).link).toEqual({
    kind: 'strain',
    name: 'Haze',
  })
})

it('shows a poll’s errors next to its options', async () => {
  const resolve = async (values: object) => {
    const { errors } = await resolverFor(communityId)({ ...emptyPost, title: 'Which?', ...values }, undefined, {
      fields: {},
      shouldUseNativeValidation: false,
    })
    return errors
  }
  expect(messageIn((await resolve({ postType: 'poll', options: ['A', ''] })).options)).toBe('Add at least 2 options')
  expect(messageIn((await resolve({ postType: 'poll', options: ['A', 'a'] })).options)).toBe('Each option must be different')
  expect(messageIn((await resolve({ content: '' })).content)).toBe('Content is required')
  expect(await resolve({ postType: 'poll', options: ['A', 'B'] })).toEqual({})
  expect(NewCommunityPost.safeParse(bodyOf(communityId, { ...emptyPost, title: 'A', content: 'B' })).success).toBe(true)
})
