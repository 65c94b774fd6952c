import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { up as createMediaUses } from '#server/db/migrations/20261123T1520-create-media-uses.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addCommunity } from '#tests/support/communities.ts'
import { addGalleryItem } from '#tests/support/galleries.ts'
import { addHuntWorld } from '#tests/support/hunt-world.ts'
import { columnsOfMedia, findWrongMediaUses, recordMediaUses } from '#tests/support/media-uses.ts'
import { addProduct } from '#tests/support/menus.ts'
import { messagesOf } from '#tests/support/messages.ts'
import { addMedia, addPost } from '#tests/support/posts.ts'
import { giveRole } from '#tests/support/roles.ts'
import { addReview, joinBusiness } from '#tests/support/social.ts'
import { statementsOf } from '#tests/support/statements.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { type MediaUseKind, mediaReferences } from './media-uses.ts'

let test: TestApp
let owner: TestPerson
let viewer: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  viewer = await test.signUp()
})
afterAll(() => test?.close())

it('covers every column of the schema that refers to a file', async () => {
  expect(mediaReferences.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(await columnsOfMedia(test.db))
})

const media = async () => (await addMedia(test.db, owner.user.id)).id

/** Creates a subject with a picture that `as`, by default `viewer`, may see. */
const shown: Record<MediaUseKind, (mediaId: string) => Promise<{ id: string; as?: TestPerson }>> = {
  async post(media_id) {
    const business = await addBusiness(test.db)
    await test.request('POST', '/api/subscriptions', viewer, { businessId: business.id })
    const id = await addPost(test.db, { author_id: owner.user.id, business_id: business.id, is_exclusive: true })
    await test.db.insertInto('post_media').values({ post_id: id.id, position: 0, media_id }).execute()
    return id
  },
  async draft(media_id) {
    const business = await addBusiness(test.db)
    await test.db.insertInto('business_members').values({ business_id: business.id, user_id: viewer.user.id, role: 'owner' }).execute()
    const id = newId()
    await test.db
      .insertInto('post_drafts')
      .values({ id, author_id: owner.user.id, business_id: business.id, title: 'Later', content: '' })
      .execute()
    await test.db.insertInto('post_draft_media').values({ draft_id: id, position: 0, media_id }).execute()
    return { id }
  },
  business: (image_id) => addBusiness(test.db, { image_id }),
  community: (image_id) => addCommunity(test.db, { owner: owner.user.id, members: [viewer.user.id] }, { visibility: 'private', image_id }),
  async person(image_id) {
    await test.db.updateTable('users').set({ image_id, is_profile_public: true }).where('id', '=', owner.user.id).execute()
    return owner.user
  },
  async product(image_id) {
    const business = await addBusiness(test.db, { country: 'US', state: 'CO' })
    return { id: await addProduct(test.db, business.id, { image_id }) }
  },
  async claim(document_id) {
    const id = newId()
    const claim = { business_id: (await addBusiness(test.db)).id, user_id: owner.user.id, statement: 'Mine', created_at: test.clock.now() }
    await test.db
      .insertInto('claims')
      .values({ ...claim, id, method: 'review', status: 'open', document_id })
      .execute()
    return { id, as: await moderator() }
  },
  async license(document_id) {
    const business = await addBusiness(test.db)
    await test.db.insertInto('business_members').values({ business_id: business.id, user_id: viewer.user.id, role: 'owner' }).execute()
    const id = newId()
    await test.db
      .insertInto('license_verifications')
      .values({
        ...{ id, business_id: business.id, license_number: '1', license_number_key: '1', state: 'CO', license_name: 'Shop', document_id },
        ...{ business_type: 'dispensary', match: 'none', status: 'pending', created_at: test.clock.now(), updated_at: test.clock.now() },
      })
      .execute()
    return { id }
  },
  async log(media_id) {
    const { ids } = await addHuntWorld(test.db, newId(), { owner: owner.user.id, viewer: viewer.user.id, writer: owner.user.id })
    const id = ids['grow-logs'] as string
    await test.db.insertInto('grow_log_photos').values({ log_id: id, position: 1, media_id }).execute()
    return { id }
  },
  async observation(media_id) {
    const { ids } = await addHuntWorld(test.db, newId(), { owner: owner.user.id, viewer: viewer.user.id, writer: owner.user.id })
    const id = ids.observations as string
    await test.db.updateTable('observations').set({ media_id, value_options: null }).where('id', '=', id).execute()
    return { id }
  },
  async message(media_id) {
    const messages = messagesOf(test)
    const { id } = await messages.send(owner, await messages.between(owner, viewer), 'Look at this.')
    await test.db.insertInto('message_media').values({ message_id: id, position: 0, media_id }).execute()
    return { id }
  },
  async gallery_item(media_id) {
    const business = await addBusiness(test.db)
    await joinBusiness(test.db, viewer.user.id, business.id)
    return { id: await addGalleryItem(test.db, business.id, media_id) }
  },
  async review(media_id) {
    const id = await addReview(test.db, { business_id: (await addBusiness(test.db)).id, user_id: owner.user.id })
    await test.db.insertInto('review_media').values({ review_id: id, position: 0, media_id }).execute()
    return { id }
  },
}

async function moderator(): Promise<TestPerson> {
  const person = await test.signUp()
  await giveRole(test, person, 'moderator')
  return person
}

it('serves public files with one statement and no session', async () => {
  const picture = await media()
  await test.ctx.storage.put(`media/${picture}/small.webp`, Buffer.from('a picture'), 'image/webp')
  await recordMediaUses(test.db, 'business', (await addBusiness(test.db, { image_id: picture })).id)
  const query = vi.spyOn(pg.Client.prototype, 'query')
  expect((await test.request('GET', `/media/${picture}/small.webp`, viewer)).statusCode).toBe(200)
  expect(query).toHaveBeenCalledTimes(1)
  query.mockRestore()
})

describe.each(Object.keys(shown) as MediaUseKind[])('a file shown by a %s', (kind) => {
  it('is served with at most two statements and becomes private when its subject is deleted', async () => {
    const mediaId = await media()
    await test.ctx.storage.put(`media/${mediaId}/small.webp`, Buffer.from('a picture'), 'image/webp')
    const { id, as = viewer } = await shown[kind](mediaId)
    await recordMediaUses(test.db, kind, id)
    const look = () => test.request('GET', `/media/${mediaId}/small.webp`, as)
    const statements = await statementsOf(async () => expect((await look()).statusCode).toBe(200))
    expect(statements[0]).toContain('media_uses')
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(2)

    if (kind === 'person') {
      await test.db.updateTable('users').set({ image_id: null }).where('id', '=', id).execute()
      await recordMediaUses(test.db, kind, id)
    } else await test.db.deleteFrom(tables[kind]).where('id', '=', id).execute()
    expect(await findWrongMediaUses(test.db)).toEqual([])
    expect((await look()).statusCode).toBe(404)
    expect((await test.request('DELETE', `/api/media/${mediaId}`, owner)).statusCode).toBe(204)
  })
})

const tables = {
  post: 'posts',
  draft: 'post_drafts',
  business: 'businesses',
  community: 'communities',
  product: 'products',
  claim: 'claims',
  license: 'license_verifications',
  log: 'grow_logs',
  observation: 'observations',
  message: 'messages',
  gallery_item: 'gallery_items',
  review: 'reviews',
} as const satisfies Record<Exclude<MediaUseKind, 'person'>, string>

it('backfills the uses of existing files', async () => {
  const kinds = (Object.keys(shown) as MediaUseKind[]).filter((kind) => kind !== 'gallery_item' && kind !== 'review')
  const ids = await Promise.all(kinds.map(media))
  for (const [i, kind] of kinds.entries()) await shown[kind](ids[i] as string)
  await sql`drop table media_uses`.execute(test.db)
  await createMediaUses(test.db as unknown as Kysely<unknown>)
  expect(await findWrongMediaUses(test.db)).toEqual([])
  const written = await test.db.selectFrom('media_uses').select('kind').where('media_id', 'in', ids).execute()
  expect(written.map(({ kind }) => kind).sort()).toEqual(kinds.toSorted())
})
