import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { activeDocuments, documentWithSecrets } from '#tests/support/documents.ts'
import { recordMediaUses } from '#tests/support/media-uses.ts'
import { addProduct } from '#tests/support/menus.ts'
import { pictureWithSecrets } from '#tests/support/pictures.ts'
import { giveRole } from '#tests/support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { uploadsOf } from '#tests/support/uploads.ts'

let test: TestApp
let uploads: ReturnType<typeof uploadsOf>
const people: Record<string, TestPerson> = {}
const shop = { id: '', slug: '' }

beforeAll(async () => {
  test = await startTestApp()
  uploads = uploadsOf(test)
  Object.assign(shop, await addBusiness(test.db, { country: 'US', state: 'CO' }))
  for (const role of ['uploader', 'owner', 'manager', 'staff', 'stranger', 'moderator']) people[role] = await test.signUp()
  people.young = await test.signUp({ birthday: `${test.clock.now().getUTCFullYear() - 20}-01-01` })
  for (const role of ['owner', 'manager', 'staff'] as const) {
    await test.db
      .insertInto('business_members')
      .values({ business_id: shop.id, user_id: (people[role] as TestPerson).user.id, role })
      .execute()
  }
  await giveRole(test, people.moderator as TestPerson, 'moderator')
})
afterAll(() => test?.close())

const uploader = () => people.uploader as TestPerson
const upload = async () => uploads.upload(uploader(), await documentWithSecrets(2), 'application/pdf')
async function readers(url: string): Promise<string[]> {
  const found: string[] = []
  for (const [role, person] of Object.entries({ ...people, visitor: null })) {
    if ((await uploads.get(url, person)).statusCode === 200) found.push(role)
  }
  return found.sort()
}
const product = async (values: { image_id?: string; certificate_id?: string }) => {
  await recordMediaUses(test.db, 'product', await addProduct(test.db, shop.id, values))
}

it('makes a PDF ready, but only for download', async () => {
  const media = await upload()
  expect(media).toMatchObject({ kind: 'document', width: 612, height: 792, pageCount: 2, sources: [], videoUrl: null })
  expect(media.documentUrl).toBe(`/media/${media.id}/document.pdf`)
  expect(uploads.storedOf(media.id)).toEqual([`media/${media.id}/document.pdf`])
  const answer = await uploads.get(media.documentUrl as string, uploader())
  expect(answer.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="document.pdf"',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
  })
  expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  for (const file of ['small.webp', 'video.mp4', 'document.webm']) {
    expect((await uploads.get(`/media/${media.id}/${file}`, uploader())).statusCode, file).toBe(404)
  }
  expect(await readers(media.documentUrl as string)).toEqual(['uploader'])
})

it('refuses a PDF with active content and explains why, and refuses an oversized one before its first byte', async () => {
  const script = await activeDocuments['a script when it opens']?.()
  const sent = await uploads.send(uploader(), script as Buffer, 'application/pdf')
  await test.runJobs()
  expect(await uploads.state(uploader(), sent.id)).toMatchObject({ status: 'failed', media: null, error: expect.stringMatching(/scripts/) })
  const large = await uploads.begin(uploader(), 10 * 1024 * 1024 + 1, 'application/pdf')
  expect(large.json()).toMatchObject({ code: 'invalid_input', fields: { byteSize: 'A PDF can be up to 10 MB.' } })
})

it('refuses a PDF on a post, whatever type it claims to be', async () => {
  const media = await uploads.upload(uploader(), await documentWithSecrets(), 'image/png')
  const answer = await test.request('POST', '/api/posts', uploader(), {
    title: 'A paper',
    content: 'Words',
    businessId: null,
    mediaIds: [media.id],
  })
  expect(answer.json()).toMatchObject({ code: 'invalid_input', fields: { mediaIds: 'Send a picture or a video.' } })
})

it('shows a product’s picture and certificate only to people of legal age, even within the team', async () => {
  const picture = await uploads.upload(uploader(), await pictureWithSecrets('png'), 'image/png')
  const certificate = await upload()
  await product({ image_id: picture.id })
  await product({ certificate_id: certificate.id })
  const adults = ['manager', 'moderator', 'owner', 'staff', 'stranger', 'uploader']
  expect(await readers(`/media/${picture.id}/small.webp`)).toEqual(adults)
  expect(await readers(certificate.documentUrl as string)).toEqual(adults)
  const answer = await uploads.get(certificate.documentUrl as string, people.stranger)
  expect(answer.headers['cache-control']).toBe('private, no-cache')
  // The legal age applies to team members too: see server/features/menus/menu-lock.ts.
  await test.db
    .insertInto('business_members')
    .values({ business_id: shop.id, user_id: people.young?.user.id ?? '', role: 'staff' })
    .execute()
  expect(await readers(certificate.documentUrl as string)).toEqual(adults)
  await test.db
    .deleteFrom('business_members')
    .where('user_id', '=', people.young?.user.id ?? '')
    .execute()
})

it('shows a license’s document only to its uploader, the owner, managers, and moderators', async () => {
  const media = await upload()
  const id = newId()
  await test.db
    .insertInto('license_verifications')
    .values({
      id,
      business_id: shop.id,
      license_number: '402R-1',
      license_number_key: '402R1',
      state: 'CO',
      license_name: 'Shop',
      business_type: 'dispensary',
      document_id: media.id,
      match: 'none',
      status: 'pending',
      created_at: test.clock.now(),
      updated_at: test.clock.now(),
    })
    .execute()
  await recordMediaUses(test.db, 'license', id)
  expect(await readers(media.documentUrl as string)).toEqual(['manager', 'moderator', 'owner', 'uploader'])
})

it('keeps files used by a product or license, and refuses to delete them', async () => {
  const [certificate, unused] = [await upload(), await upload()]
  await product({ certificate_id: certificate.id })
  expect((await test.request('DELETE', `/api/media/${certificate.id}`, uploader())).statusCode).toBe(409)
  test.clock.advance({ hours: 25 })
  await test.ctx.jobs.enqueue('media.sweep', {})
  await test.runJobs()
  const left = await test.db.selectFrom('media').select('id').where('kind', '=', 'document').where('status', '=', 'ready').execute()
  expect(left.map(({ id }) => id)).toContain(certificate.id)
  expect(left.map(({ id }) => id)).not.toContain(unused.id)
  const { count } = await test.db
    .selectFrom('license_verifications')
    .innerJoin('media', 'media.id', 'license_verifications.document_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(1)
})
