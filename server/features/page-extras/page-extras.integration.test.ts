import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ManagedPageExtras, PageExtras } from '#contracts/page-extras.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addGalleryItem } from '#tests/support/galleries.ts'
import { decisionWith, moderationCalls } from '#tests/support/moderation.ts'
import { addMedia } from '#tests/support/posts.ts'
import { joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let visitor: TestPerson
let shop: TestBusiness

beforeAll(async () => {
  test = await startTestApp()
  visitor = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  owner = await test.signUp()
  shop = await addBusiness(test.db)
  await joinBusiness(test.db, owner.user.id, shop.id)
})

/** In an hour, before sessions expire. */
const until = () => new Date(test.clock.now().getTime() + 3_600_000)
const verify = () => grantPlan(test.db, { businessId: shop.id, planId: 'verified', until: until() })
const photo = async (as = owner) => (await addMedia(test.db, as.user.id)).id
const photos = (count: number) => Promise.all(Array.from({ length: count }, () => photo()))
const video = async () => (await addMedia(test.db, owner.user.id, { kind: 'video', extension: 'mp4', duration_ms: 9000 })).id

const managed = async (as = owner) =>
  (await test.request('GET', `/api/businesses/${shop.id}/page-extras/managed`, as)).json() as ManagedPageExtras
const shown = async (as: TestPerson | null = visitor) =>
  (await test.request('GET', `/api/businesses/${shop.slug}/page-extras`, as)).json() as PageExtras
const altsOf = ({ gallery }: Pick<PageExtras, 'gallery'>) => gallery.map(({ media }) => media.alt)
const idsOf = ({ gallery }: Pick<PageExtras, 'gallery'>) => gallery.map(({ media }) => media.id)

type Item = { mediaId: string; alt?: string }
const put = async (items: Item[], as = owner, version?: string) =>
  test.request('PUT', `/api/businesses/${shop.id}/gallery`, as, { items, version: version ?? (await managed()).galleryVersion })
async function save(items: Item[], as = owner): Promise<ManagedPageExtras> {
  const answer = await put(items, as)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as ManagedPageExtras
}
const link = (links: object, as = owner) => test.request('PATCH', `/api/businesses/${shop.id}/social-links`, as, links)

describe('a gallery', () => {
  it('shows the video first, then the photos in order, with the gallery’s descriptions', async () => {
    await verify()
    const [one, two, clip] = [await photo(), await photo(), await video()]
    await save([
      { mediaId: two, alt: 'The counter' },
      { mediaId: clip, alt: 'A walk through the shop' },
      { mediaId: one, alt: 'The door' },
    ])
    for (const as of [visitor, null]) expect(altsOf(await shown(as))).toEqual(['A walk through the shop', 'The counter', 'The door'])
    await save([{ mediaId: one, alt: 'Our door' }, { mediaId: two }])
    expect(altsOf(await shown())).toEqual(['Our door', ''])
  })

  it('keeps an item’s ID when it moves, and returns the same response to a repeated write', async () => {
    await verify()
    const [one, two] = [await photo(), await photo()]
    const first = await save([{ mediaId: one }, { mediaId: two }])
    const moved = await put([{ mediaId: two }, { mediaId: one }])
    expect((moved.json() as ManagedPageExtras).gallery.map(({ id }) => id)).toEqual(first.gallery.map(({ id }) => id).toReversed())
    const again = await put([{ mediaId: two }, { mediaId: one }], owner, first.galleryVersion)
    expect([again.statusCode, again.json()]).toEqual([200, moved.json()])
    const audit = test.db.selectFrom('audit_log').select('details').where('business_id', '=', shop.id)
    expect((await audit.execute()).map(({ details }) => details)).toEqual([{ fields: 'gallery' }, { fields: 'gallery' }])
  })

  it('refuses edits based on a version older than a colleague’s', async () => {
    await verify()
    const manager = await test.signUp()
    await joinBusiness(test.db, manager.user.id, shop.id, 'manager')
    const { galleryVersion } = await managed(manager)
    const one = await photo()
    await save([{ mediaId: one }])
    const late = await put([{ mediaId: await photo(manager) }], manager, galleryVersion)
    expect([late.statusCode, late.json().code]).toEqual([409, 'conflict'])
    expect(idsOf(await shown())).toEqual([one])
    expect(altsOf(await save([{ mediaId: one, alt: 'The door' }], manager))).toEqual(['The door'])
  })

  it('has room for 12 photos and one video', async () => {
    await verify()
    const full = [...(await photos(12)), await video()].map((mediaId) => ({ mediaId }))
    await save(full)
    const photosOnly = full.slice(0, 12)
    const refused = async (items: Item[]) => (await put(items)).json().fields.items
    expect(await refused([...full.slice(1), { mediaId: await video() }])).toBe(
      'Your page has room for one video. Remove the other one first.',
    )
    expect(await refused([...photosOnly, { mediaId: await photo() }])).toBe('Your page has room for 12 photos. Remove some first.')
    expect(await refused([...full, { mediaId: await photo() }])).toBe('At most 12 photos and one video')
    expect((await shown()).gallery).toHaveLength(13)
  })

  it('has database constraints for its positions', async () => {
    const item = async (details: object) => addGalleryItem(test.db, shop.id, await photo(), details)
    await item({ position: 12 })
    await expect(item({ position: 12 })).rejects.toThrow('gallery_places_are_taken_once')
    await expect(item({ position: 13 })).rejects.toThrow('gallery_places')
    await expect(item({ position: 0 })).rejects.toThrow('gallery_places')
    await item({ kind: 'video', position: 0 })
    await expect(item({ kind: 'video', position: 0 })).rejects.toThrow('gallery_places_are_taken_once')
    await expect(item({ kind: 'video', position: 1 })).rejects.toThrow('gallery_places')
  })

  it('accepts only ready, unused uploads of the actor, each once', async () => {
    await verify()
    const other = await addBusiness(test.db)
    const taken = await photo()
    await addGalleryItem(test.db, other.id, taken)
    const one = await photo()
    const wrong = [
      [{ mediaId: await photo(visitor) }],
      [{ mediaId: taken }],
      [{ mediaId: (await addMedia(test.db, owner.user.id, { status: 'processing' })).id }],
      [{ mediaId: (await addMedia(test.db, owner.user.id, { kind: 'document', extension: 'pdf', page_count: 1 })).id }],
      [{ mediaId: one }, { mediaId: one }],
    ]
    for (const items of wrong) expect((await put(items)).json(), JSON.stringify(items)).toMatchObject({ code: 'invalid_input' })
    expect((await managed()).gallery).toEqual([])
  })

  it('refuses descriptions that break the rules, except unchanged ones', async () => {
    await verify()
    const [one, two] = [await photo(), await photo()]
    const bad = 'Our oil cures cancer'
    const refused = await put([{ mediaId: one }, { mediaId: two, alt: bad }])
    expect([refused.statusCode, refused.json().fields]).toEqual([400, { 'items.1.alt': expect.stringContaining('health claim') }])
    await addGalleryItem(test.db, shop.id, one, { alt: bad })
    expect(altsOf(await save([{ mediaId: two }, { mediaId: one, alt: bad }]))).toEqual(['', bad])
  })

  it('lets others report a photo, and moderators remove and restore it', async () => {
    const { report, caseOf, case: read, decided, undo, moderator } = moderationCalls(test)
    await verify()
    const [one, two] = [await photo(), await photo()]
    await test.ctx.storage.put(`media/${one}/small.webp`, Buffer.from('a picture'), 'image/webp')
    const { gallery } = await save([{ mediaId: one, alt: 'The back room' }, { mediaId: two }])
    const id = gallery[0]?.id as string
    const reportAs = (as: TestPerson) =>
      test.request('POST', '/api/reports', as, { subject: 'gallery_item', subjectId: id, reason: 'minors' })
    expect([(await reportAs(owner)).statusCode, (await reportAs(owner)).json().message]).toEqual([
      403,
      'Your business shows this photo. You can remove it.',
    ])
    await report(visitor, 'gallery_item', id, 'minors')
    const judge = await moderator()
    const caseId = await caseOf('gallery_item', id)
    expect(await read(judge, caseId)).toMatchObject({ media: [{ id: one }] })
    const served = async (as: TestPerson | null) => (await test.request('GET', `/media/${one}/small.webp`, as)).statusCode
    expect([await served(null), await served(judge)]).toEqual([200, 200])

    const [decision] = await decided(judge, caseId, decisionWith({ action: 'remove' }))
    expect(idsOf(await shown())).toEqual([two])
    expect((await managed()).gallery.map(({ moderation }) => moderation)).toEqual(['removed', null])
    expect([await served(null), await served(visitor), await served(judge)]).toEqual([404, 404, 200])
    expect((await reportAs(visitor)).statusCode).toBe(404)
    await save([{ mediaId: two }, { mediaId: one, alt: 'Quite another thing' }])
    expect(idsOf(await shown())).toEqual([two])
    expect((await undo(judge, decision?.id as string)).statusCode).toBe(200)
    expect(idsOf(await shown())).toEqual([two, one])
  })
})

describe('a gallery without a plan', () => {
  it('refuses additions and names the required plan', async () => {
    const gallery = await put([{ mediaId: await photo() }])
    expect([gallery.statusCode, gallery.json().code, gallery.json().message]).toEqual([
      409,
      'plan_limit',
      'Photos and a video on your page come with Verified. Choose Verified to add them.',
    ])
    expect((await link({ x: 'corner' })).json()).toMatchObject({
      code: 'plan_limit',
      message: 'Social links on your page come with Verified. Choose Verified to add them.',
    })
    expect(await managed()).toMatchObject({ gallery: [], socialLinks: [], isUnlocked: { gallery: false, socialLinks: false } })
  })

  it('is hidden but kept, can be edited by the team, and returns with the next plan', async () => {
    await verify()
    const [one, two] = [await photo(), await photo()]
    await test.ctx.storage.put(`media/${one}/small.webp`, Buffer.from('a picture'), 'image/webp')
    await save([{ mediaId: one, alt: 'The door' }, { mediaId: two }])
    await link({ instagram: 'corner', x: 'corner' })
    const staff = await test.signUp()
    await joinBusiness(test.db, staff.user.id, shop.id, 'staff')
    const served = async (as: TestPerson | null) => (await test.request('GET', `/media/${one}/small.webp`, as)).statusCode
    expect(await served(null)).toBe(200)

    test.clock.set(until())
    expect(await shown()).toEqual({ gallery: [], socialLinks: [] })
    expect(await shown(owner)).toEqual({ gallery: [], socialLinks: [] })
    expect([await served(null), await served(visitor), await served(staff), await served(owner)]).toEqual([404, 404, 200, 200])
    const kept = await managed()
    expect(altsOf(kept)).toEqual(['The door', ''])
    expect(kept).toMatchObject({
      isUnlocked: { gallery: false, socialLinks: false },
      socialLinks: [{ network: 'instagram' }, { network: 'x' }],
    })
    expect((await put([{ mediaId: one }, { mediaId: await photo() }])).json().code).toBe('plan_limit')
    await save([{ mediaId: two }, { mediaId: one, alt: 'The old door' }])
    await save([{ mediaId: one, alt: 'The old door' }])
    expect((await link({ x: '' })).json().socialLinks).toEqual([{ network: 'instagram', url: 'https://www.instagram.com/corner' }])

    await verify()
    expect(altsOf(await shown())).toEqual(['The old door'])
    expect((await shown()).socialLinks).toHaveLength(1)
  })
})

describe('a social link', () => {
  it('is accepted as a name or an address, and appears in a fixed order', async () => {
    await verify()
    const saved = await link({
      linkedin: 'https://de.linkedin.com/company/corner',
      instagram: '@corner',
      youtube: 'youtube.com/@corner?si=1',
    })
    const expected = [
      { network: 'instagram', url: 'https://www.instagram.com/corner' },
      { network: 'youtube', url: 'https://www.youtube.com/@corner' },
      { network: 'linkedin', url: 'https://www.linkedin.com/company/corner' },
    ]
    expect((saved.json() as ManagedPageExtras).socialLinks).toEqual(expected)
    expect((await shown(null)).socialLinks).toEqual(expected)
    await link({ instagram: 'corner.denver', youtube: '' })
    expect((await shown()).socialLinks.map(({ url }) => url)).toEqual([
      'https://www.instagram.com/corner.denver',
      'https://www.linkedin.com/company/corner',
    ])
  })

  it('is accepted only with an address on its network', async () => {
    await verify()
    const refused = await link({ instagram: 'https://example.com/corner', facebook: 'javascript:alert(1)', x: 'corner' })
    expect([refused.statusCode, Object.keys(refused.json().fields)]).toEqual([400, ['instagram', 'facebook']])
    expect(refused.json().fields.instagram).toBe('Enter your Instagram name or address, such as instagram.com/yourshop')
    expect((await shown()).socialLinks).toEqual([])
    const insert = (network: 'instagram', url: string) =>
      test.db.insertInto('business_social_links').values({ business_id: shop.id, network, url }).execute()
    await expect(insert('instagram', 'https://example.com/corner')).rejects.toThrow('social_links_lead_to_their_network')
    await expect(insert('instagram', 'https://www.instagram.com/')).rejects.toThrow('social_links_lead_to_their_network')
    await insert('instagram', 'https://www.instagram.com/corner')
    await expect(insert('instagram', 'https://www.instagram.com/other')).rejects.toThrow('business_social_links_pkey')
  })
})

it('hides photos and links while moderators hide the business', async () => {
  await verify()
  const one = await photo()
  await test.ctx.storage.put(`media/${one}/small.webp`, Buffer.from('a picture'), 'image/webp')
  await save([{ mediaId: one }])
  await test.db.updateTable('businesses').set({ moderation: 'hidden' }).where('id', '=', shop.id).execute()
  for (const as of [visitor, null]) {
    expect((await test.request('GET', `/api/businesses/${shop.id}/page-extras`, as)).statusCode).toBe(404)
    expect((await test.request('GET', `/media/${one}/small.webp`, as)).statusCode).toBe(404)
  }
  expect(idsOf(await shown(owner))).toEqual([one])
})

it('deletes photos and links with their business', async () => {
  await verify()
  const one = await photo()
  await save([{ mediaId: one }])
  await link({ x: 'corner' })
  await test.db.deleteFrom('agreements').where('business_id', '=', shop.id).execute()
  await test.db.deleteFrom('businesses').where('id', '=', shop.id).execute()
  const { rows } = await sql<{ left: number }>`
    select (select count(*) from gallery_items where business_id = ${shop.id}) + (select count(*) from business_social_links
      where business_id = ${shop.id}) + (select count(*) from media_uses where media_id = ${one}) as left`.execute(test.db)
  expect(Number(rows[0]?.left)).toBe(0)
})
