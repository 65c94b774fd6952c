import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { Profile } from '#contracts/people.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { pictureWithSecrets } from '#tests/support/pictures.ts'
import { addMedia, addPost } from '#tests/support/posts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { uploadsOf } from '#tests/support/uploads.ts'

let test: TestApp
let ann: TestPerson
let reader: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  ann = await test.signUp({ firstName: 'Ann', lastName: 'Gardener' })
  reader = await test.signUp()
})
afterAll(() => test?.close())

const untouched = {
  display_name: null,
  first_name: 'Ann',
  last_name: 'Gardener',
  location: 'Denver, CO',
  bio: null,
  interests: [],
  image_id: null,
  is_profile_public: true,
  allow_location_sharing: true,
  profile_moderation: null,
  muted_until: null,
  suspended_until: null,
}
const set = (details: object) => test.db.updateTable('users').set(details).where('id', '=', ann.user.id).execute()
beforeEach(() => set(untouched))

const save = (body: object, as: TestPerson | null = ann) => test.request('PATCH', '/api/user/settings/profile', as, body)
const privacy = (body: object, as: TestPerson | null = ann) => test.request('PATCH', '/api/user/settings/privacy', as, body)
const own = async () => (await test.request('GET', '/api/auth/user', ann)).json() as CurrentUser
const seenBy = async (as: TestPerson) => (await test.request('GET', `/api/people/${ann.user.id}`, as)).json() as Profile

describe('the profile', () => {
  it('changes only the fields sent and clears empty ones', async () => {
    const saved = await save({ bio: '  I like terraces. ', interests: ['Flower', 'Flower', ''], location: 'Boulder, CO' })
    expect(saved.statusCode, saved.body).toBe(200)
    expect(saved.json()).toMatchObject({ firstName: 'Ann', bio: 'I like terraces.', interests: ['Flower'], location: 'Boulder, CO' })
    expect(saved.json()).toEqual(await own())
    expect((await save({ bio: '', location: '' })).json()).toMatchObject({ bio: null, location: null, interests: ['Flower'] })
    expect((await save({})).json()).toEqual(await own())
  })

  it('shows whether the location supports nearby results', async () => {
    const knownAfter = async (location: string) => {
      const saved = (await save({ location })).json() as CurrentUser
      expect(saved.isLocationKnown).toBe((await own()).isLocationKnown)
      return saved.isLocationKnown
    }
    expect(await knownAfter('Boulder, CO')).toBe(true)
    expect(await knownAfter('Lisbon, Portugal')).toBe(false)
    expect(await knownAfter('')).toBe(false)
  })

  it('reports every invalid field together', async () => {
    const refused = await save({ firstName: ' ', lastName: '', displayName: 'x'.repeat(81), bio: 'x'.repeat(1001) })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().fields).toEqual({
      displayName: 'At most 80 characters',
      firstName: 'First name is required',
      lastName: 'Last name is required',
      bio: 'At most 1,000 characters',
    })
  })

  it('is editable only by its owner', async () => {
    expect((await save({ bio: 'Mine' }, null)).statusCode).toBe(401)
    await save({ bio: 'Theirs' }, reader)
    expect((await own()).bio).toBeNull()
  })

  it('shows a new name everywhere, and a display name instead of the first and last name', async () => {
    const business = await addBusiness(test.db)
    const { id: postId } = await addPost(test.db, { author_id: ann.user.id })
    await test.request('POST', `/api/posts/${postId}/comments`, ann, { content: 'A word of mine' })
    await test.request('PUT', `/api/businesses/${business.id}/rating`, ann, { rating: 4, review: 'Kind people behind the counter' })
    const places = [
      `/api/posts/${postId}`,
      `/api/posts/${postId}/comments`,
      `/api/businesses/${business.slug}/ratings`,
      `/api/people/${ann.user.id}`,
    ]
    // Caches each response before the change.
    await Promise.all(places.map((url) => test.request('GET', url, reader)))
    await save({ displayName: 'Terrace Grower' })
    for (const url of places) {
      const { body } = await test.request('GET', url, reader)
      expect(body, url).toContain('Terrace Grower')
      expect(body, url).not.toContain('Gardener')
    }
    await save({ displayName: '', lastName: 'Green' })
    for (const url of places) expect((await test.request('GET', url, reader)).body, url).toContain('Green')
  })

  it('refuses text that would get a post held, names each such field, and keeps the old values', async () => {
    const refused = await save({ displayName: 'Zips 120, dm me', bio: 'My oil cures cancer', firstName: 'Annie' })
    expect([refused.statusCode, Object.keys(refused.json().fields)]).toEqual([400, ['displayName', 'bio']])
    expect(refused.json().fields.bio).toContain('health claim')
    expect(await own()).toMatchObject({ displayName: null, firstName: 'Ann', bio: null })

    await set({ bio: 'My oil cures cancer' })
    expect((await save({ bio: 'My oil cures cancer', firstName: 'Annie' })).statusCode).toBe(200)
    const onboarding = { firstName: 'Ann', lastName: 'Gardener', location: 'Text me at 303-555-0148' }
    const again = await test.request('POST', '/api/user/profile', ann, onboarding)
    expect([again.statusCode, Object.keys(again.json().fields)]).toEqual([400, ['location']])
  })

  it('can’t be edited by a muted person, even during onboarding, except for its visibility', async () => {
    await set({ muted_until: new Date(test.clock.now().getTime() + 3_600_000) })
    const { firstName, lastName } = ann.user
    const refused = [
      await save({ bio: 'Words' }),
      await test.request('POST', '/api/user/profile', ann, { firstName, lastName, location: 'Denver, CO', bio: 'Words' }),
    ]
    expect(refused.map((answer) => [answer.statusCode, answer.json().code])).toEqual([
      [403, 'muted'],
      [403, 'muted'],
    ])
    expect((await own()).bio).toBeNull()
    expect((await privacy({ isProfilePublic: false })).json()).toMatchObject({ isProfilePublic: false })
  })

  it('can be edited after moderators hid it, but remains hidden and shows the edits only to its owner', async () => {
    await set({ profile_moderation: 'hidden' })
    expect((await save({ displayName: 'Someone Else', bio: 'Better words' })).json()).toMatchObject({ isProfileHidden: true })
    expect(await seenBy(reader)).toMatchObject({ name: 'Member', bio: null, imageUrl: null })
    expect(await seenBy(ann)).toMatchObject({ name: 'Someone Else', bio: 'Better words' })
    await set({ profile_moderation: null })
    expect((await own()).isProfileHidden).toBe(false)
    expect(await seenBy(reader)).toMatchObject({ name: 'Someone Else', bio: 'Better words' })
  })
})

describe('the picture', () => {
  it('must be the person’s own, ready, and not used elsewhere', async () => {
    const foreign = await addMedia(test.db, reader.user.id)
    const unready = await addMedia(test.db, ann.user.id, { status: 'processing' })
    const film = await addMedia(test.db, ann.user.id, { kind: 'video', widths: [], duration_ms: 1000, extension: 'mp4' })
    const posted = await addMedia(test.db, ann.user.id)
    await uploadsOf(test).addPost(ann, [posted.id])
    for (const imageId of [foreign.id, unready.id, film.id, posted.id, newId()]) {
      const refused = await save({ imageId })
      expect([refused.statusCode, Object.keys(refused.json().fields)]).toEqual([400, ['imageId']])
    }
    const picture = await addMedia(test.db, ann.user.id)
    const saved = await save({ imageId: picture.id })
    expect(saved.json().profileImageUrl).toBe(`/media/${picture.id}/small.webp`)
    expect((await save({ imageId: picture.id })).statusCode).toBe(200)
    expect((await seenBy(reader)).imageUrl).toBe(saved.json().profileImageUrl)
  })

  it('is visible to everyone while it is in use and the profile is public, and otherwise only to its owner', async () => {
    const uploads = uploadsOf(test)
    const { id } = await uploads.upload(ann, await pictureWithSecrets('jpeg'))
    const url = (await save({ imageId: id })).json().profileImageUrl
    const statusFor = async (as: TestPerson | null) => (await uploads.get(url, as)).statusCode
    expect([await statusFor(reader), await statusFor(null)]).toEqual([200, 200])
    await privacy({ isProfilePublic: false })
    expect([await statusFor(reader), await statusFor(null), await statusFor(ann)]).toEqual([404, 404, 200])
    await privacy({ isProfilePublic: true })
    expect((await save({ imageId: null })).json().profileImageUrl).toBeNull()
    expect([await statusFor(reader), await statusFor(null)]).toEqual([404, 404])
  })
})

describe('privacy', () => {
  it('applies each setting separately and immediately', async () => {
    await set({ bio: 'Words about me' })
    expect((await privacy({ allowLocationSharing: false })).json()).toMatchObject({ isProfilePublic: true, allowLocationSharing: false })
    expect(await seenBy(reader)).toMatchObject({ bio: 'Words about me', location: null })
    await privacy({ isProfilePublic: false, allowLocationSharing: true })
    expect(await seenBy(reader)).toMatchObject({ name: 'Ann Gardener', bio: null, location: null, followersCount: null, createdAt: null })
    expect((await privacy({}, null)).statusCode).toBe(401)
    expect((await privacy({})).json()).toEqual(await own())
  })

  it('also hides the picture in notifications', async () => {
    const picture = await addMedia(test.db, ann.user.id)
    await save({ imageId: picture.id })
    await test.request('PUT', `/api/people/${reader.user.id}/follow`, ann)
    await test.runJobs()
    const pictureOf = async () => (await test.request('GET', '/api/notifications', reader)).json()[0].person.imageUrl
    expect(await pictureOf()).toContain(picture.id)
    await privacy({ isProfilePublic: false })
    expect(await pictureOf()).toBeNull()
  })
})
