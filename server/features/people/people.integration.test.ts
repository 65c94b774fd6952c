import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Profile } from '#contracts/people.ts'
import { newId } from '#server/kernel/ids.ts'
import { recordMediaUses } from '#tests/support/media-uses.ts'
import { addPost } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let dana: TestPerson
let viewer: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  dana = await test.signUp({ firstName: 'Dana', lastName: 'Reed' })
  viewer = await test.signUp()
  const mediaId = newId()
  await test.db
    .insertInto('media')
    .values({ id: mediaId, owner_id: dana.user.id, kind: 'image', status: 'ready', byte_size: 1, width: 1, height: 1 })
    .execute()
  await change({ bio: 'Grows beans', interests: ['Flower'], image_id: mediaId, followers_count: 2, following_count: 3, posts_count: 4 })
})
afterAll(() => test?.close())

const change = async (details: object) => {
  await test.db.updateTable('users').set(details).where('id', '=', dana.user.id).execute()
  await recordMediaUses(test.db, 'person', dana.user.id)
}
const profile = async (as: TestPerson | null) => {
  const answer = await test.request('GET', `/api/people/${dana.user.id}`, as)
  return { status: answer.statusCode, body: answer.body, profile: answer.json() as Profile }
}

const whole = {
  name: 'Dana Reed',
  userType: 'consumer',
  location: 'Denver, CO',
  bio: 'Grows beans',
  interests: ['Flower'],
  followersCount: 2,
  followingCount: 3,
  postsCount: 4,
}

it('shows a public profile to members but never an email address', async () => {
  await change({ is_profile_public: true, allow_location_sharing: true })
  const seen = await profile(viewer)
  expect(seen.profile).toMatchObject({ ...whole, isProfilePublic: true, isSelf: false, isFollowing: false, isBlocked: false })
  expect(seen.profile.imageUrl).toContain('/media/')
  expect(seen.profile.createdAt).not.toBeNull()
  expect(seen.body).not.toContain('@')
  expect((await profile(null)).status).toBe(401)
})

it('hides an unshared location except from its owner', async () => {
  await change({ is_profile_public: true, allow_location_sharing: false })
  expect((await profile(viewer)).profile).toMatchObject({ ...whole, location: null })
  expect((await profile(dana)).profile).toMatchObject({ ...whole, isSelf: true })
})

it('shows only the name of a private profile, and everything to its owner', async () => {
  await change({ is_profile_public: false, allow_location_sharing: true })
  expect((await profile(viewer)).profile).toEqual({
    id: dana.user.id,
    name: 'Dana Reed',
    imageUrl: null,
    isProfilePublic: false,
    isSelf: false,
    isFollowing: false,
    isBlocked: false,
    isReachable: true,
    userType: null,
    location: null,
    bio: null,
    interests: [],
    followersCount: null,
    followingCount: null,
    postsCount: null,
    createdAt: null,
  })
  const own = (await profile(dana)).profile
  expect(own).toMatchObject({ ...whole, isProfilePublic: false, isSelf: true })
  expect(own.imageUrl).toContain('/media/')
})

it('hides the lists of a profile that moderators hid or whose account is being deleted, except from its owner', async () => {
  const list = async (which: string, as: TestPerson) => {
    const answer = await test.request('GET', `/api/people/${dana.user.id}/${which}`, as)
    return answer.statusCode === 200 ? answer.json().length : answer.statusCode
  }
  const all = (as: TestPerson) =>
    Promise.all(['followers', 'following/people', 'following/businesses', 'posts'].map((each) => list(each, as)))
  await addPost(test.db, { author_id: dana.user.id })
  await change({ is_profile_public: true })
  expect(await all(viewer)).toEqual([0, 0, 0, 1])
  await change({ profile_moderation: 'hidden' })
  expect(await all(viewer)).toEqual([403, 403, 403, 0])
  expect(await all(dana)).toEqual([0, 0, 0, 1])
  await change({ profile_moderation: null })
})

it('states that no one can message an account that is banned or being deleted', async () => {
  for (const reason of ['banned_at', 'leaves_at']) {
    await change({ [reason]: new Date() })
    expect((await profile(viewer)).profile.isReachable).toBe(false)
    await change({ [reason]: null })
    expect((await profile(viewer)).profile.isReachable).toBe(true)
  }
})

it('returns 404 for missing people', async () => {
  expect((await test.request('GET', `/api/people/${newId()}`, viewer)).statusCode).toBe(404)
  expect((await test.request('GET', '/api/people/no-one', viewer)).statusCode).toBe(404)
})
