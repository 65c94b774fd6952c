import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { MenuSync, SyncedItem } from '#contracts/integrations.endpoints.ts'
import { createOutside } from '#server/adapters/outside/call-outside.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { crashAt } from '#tests/support/crash.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addMember } from '#tests/support/keepers.ts'
import { asKey, makeKey } from '#tests/support/keys.ts'
import { findWrongMediaUses, recordMediaUses } from '#tests/support/media-uses.ts'
import { menuFileCalls } from '#tests/support/menu-files.ts'
import { isCrash } from '#tests/support/own-accounts.ts'
import { pictureWithSecrets } from '#tests/support/pictures.ts'
import { addPost } from '#tests/support/posts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { uploadsOf } from '#tests/support/uploads.ts'
import { fetchPictures } from './menu-pictures.ts'

let test: TestApp
let shop: TestBusiness
let owner: TestPerson
let secret: string
/** Stands in for the server that hosts the pictures. */
let site: http.Server
let port: number
const pictures = new Map<string, { body: Buffer; etag?: string; status?: number }>()
const asked: string[] = []

beforeAll(async () => {
  site = http.createServer(({ url = '', headers }, response) => {
    const found = pictures.get(url)
    const isKnown = found?.etag !== undefined && headers['if-none-match'] === found.etag
    asked.push(`${url}${isKnown ? ' 304' : ''}`)
    if (isKnown) return response.writeHead(304).end()
    return response.writeHead(found?.status ?? (found ? 200 : 404), found?.etag ? { etag: found.etag } : {}).end(found?.body)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  port = (site.address() as AddressInfo).port
  test = await startTestApp({ outside: createOutside({ alsoAllowed: [`127.0.0.1:${port}`] }) })
})
afterAll(async () => {
  await test?.close()
  site?.close()
})
beforeEach(async () => {
  shop = await addBusiness(test.db)
  owner = await addMember(test, shop, 'owner')
  await grantPlan(test.db, { businessId: shop.id, planId: 'business_tools' })
  secret = (await makeKey(test, shop.id, owner)).secret
  pictures.clear()
  pictures.set('/haze.jpg', { body: await pictureWithSecrets('jpeg', 120, 80), etag: '"1"' })
  asked.length = 0
})

const { imports, ok, send, start } = menuFileCalls(() => ({ test, shop, keeper: owner }))
const url = (path = '/haze.jpg') => `http://127.0.0.1:${port}${path}`
const item = (id: string, fields: object = {}) => ({
  id,
  name: `Item ${id}`,
  variants: [{ id: 'a', price: 35 }],
  imageUrl: url(),
  ...fields,
})
async function sync(...items: object[]): Promise<MenuSync> {
  const answer = await asKey(test, secret, { method: 'POST', url: '/api/integrations/menu/items', payload: { items } })
  expect(answer.statusCode, answer.body).toBe(200)
  await test.runJobs()
  return answer.json() as MenuSync
}
const shown = () => test.db.selectFrom('products').select(['name', 'image_id']).where('business_id', '=', shop.id).orderBy('name').execute()
const imageOf = async (name: string) => (await shown()).find((each) => each.name === name)?.image_id ?? null
async function showByHand(image_id: string | null): Promise<void> {
  const items = test.db.updateTable('products').set({ image_id }).where('business_id', '=', shop.id).where('name', '=', 'Item 1')
  const { id } = await items.returning('id').executeTakeFirstOrThrow()
  await recordMediaUses(test.db, 'product', id)
}
const synced = async () => (await asKey(test, secret, { url: '/api/integrations/menu' })).json() as SyncedItem[]
const status = async () => (await asKey(test, secret, { url: '/api/integrations/menu/status' })).json()

it('fetches a picture once, re-encodes it, and shows it for every item that names it', async () => {
  expect(await sync(item('1'), item('2'))).toMatchObject({ itemsAdded: 2, errors: [] })
  const [first, second] = await shown()
  expect(first?.image_id).toEqual(expect.any(String))
  expect(second?.image_id).toBe(first?.image_id)
  const media = await test.db
    .selectFrom('media')
    .selectAll()
    .where('id', '=', first?.image_id as string)
    .executeTakeFirstOrThrow()
  expect(media).toMatchObject({ owner_id: null, status: 'ready', kind: 'image', width: 80, height: 120 })
  const small = await test.request('GET', `/media/${media.id}/small.webp`, owner)
  expect([small.statusCode, small.headers['content-type']]).toEqual([200, 'image/webp'])
  expect(await sync(item('1'), item('2'), item('3'))).toMatchObject({ itemsConfirmed: 2, itemsAdded: 1 })
  expect(await imageOf('Item 3')).toBe(media.id)
  expect(asked).toEqual(['/haze.jpg'])
  expect((await synced())[0]).toMatchObject({ imageUrl: url(), imageError: null })
  expect(await findWrongMediaUses(test.db)).toEqual([])
})

it('checks again after a week, by ETag, and shows a new picture from the same address', async () => {
  await sync(item('1'))
  const before = await imageOf('Item 1')
  test.clock.advance({ days: 8 })
  await sync(item('1'))
  expect([asked, await imageOf('Item 1')]).toEqual([['/haze.jpg', '/haze.jpg 304'], before])
  pictures.set('/haze.jpg', { body: await pictureWithSecrets('png', 60, 60), etag: '"2"' })
  test.clock.advance({ days: 8 })
  await sync(item('1'))
  expect(asked).toHaveLength(3)
  expect(await imageOf('Item 1')).not.toBe(before)
  expect(await findWrongMediaUses(test.db)).toEqual([])
})

it('updates a picture when its address changes, but not one that someone uploaded or removed', async () => {
  pictures.set('/kush.jpg', { body: await pictureWithSecrets('jpeg', 90, 90) })
  await sync(item('1'), item('2'), item('3', { imageUrl: undefined }))
  const haze = await imageOf('Item 1')
  await sync(item('1', { imageUrl: url('/kush.jpg') }), item('2', { imageUrl: null }), item('3', { imageUrl: undefined }))
  expect(await imageOf('Item 1')).not.toBe(haze)
  expect([await imageOf('Item 2'), await imageOf('Item 3')]).toEqual([null, null])

  const upload = await uploadsOf(test).upload(owner, await pictureWithSecrets('png'))
  await showByHand(upload.id)
  await sync(item('1', { imageUrl: url() }))
  expect(await imageOf('Item 1')).toBe(upload.id)
  await showByHand(null)
  await sync(item('1', { imageUrl: url() }))
  expect(await imageOf('Item 1')).toBeNull()
})

it('reports which pictures couldn’t be fetched, and retries them after a day', async () => {
  const page = item('2', { imageUrl: url('/page.html') })
  pictures.set('/page.html', { body: Buffer.from('<!doctype html><title>No picture</title>'.repeat(4)) })
  const inside = item('3', { imageUrl: 'http://127.0.0.1:1/private.jpg' })
  expect(await sync(item('1', { imageUrl: url('/gone.jpg') }), page, inside)).toMatchObject({ itemsAdded: 3, itemsRejected: 0 })
  expect((await synced()).map(({ imageError }) => imageError)).toEqual([
    'There is no picture at this address.',
    expect.any(String),
    'This address is not on the public web.',
  ])
  expect((await status()).pictures).toEqual({ waiting: 0, failed: 3 })
  expect(asked).toEqual(['/gone.jpg', '/page.html'])
  pictures.set('/gone.jpg', { body: await pictureWithSecrets('jpeg', 50, 50) })
  await sync(item('1', { imageUrl: url('/gone.jpg') }))
  expect(await imageOf('Item 1')).toBeNull()
  test.clock.advance({ hours: 25 })
  await sync(item('1', { imageUrl: url('/gone.jpg') }))
  expect(await imageOf('Item 1')).toEqual(expect.any(String))
})

it('retries a busy site, but only after a pause', async () => {
  pictures.set('/busy.jpg', { body: await pictureWithSecrets('jpeg', 50, 50), status: 503 })
  await sync(item('1', { imageUrl: url('/busy.jpg') }))
  expect((await status()).pictures).toEqual({ waiting: 1, failed: 0 })
  pictures.set('/busy.jpg', { body: await pictureWithSecrets('jpeg', 50, 50) })
  const sweep = async () => {
    await test.ctx.jobs.enqueue('menus.sweep-imports', {})
    await test.runJobs()
  }
  await sweep()
  expect(await imageOf('Item 1')).toBeNull()
  test.clock.advance({ minutes: 2 })
  await sweep()
  expect(await imageOf('Item 1')).toEqual(expect.any(String))
})

it('fetches the pictures left by a process that was killed at any step, once its lease has ended', async () => {
  for (let point = 1; ; point++) {
    const path = `/killed-${point}.jpg`
    pictures.set(path, { body: await pictureWithSecrets('jpeg', 50, 50) })
    const items = [item('1', { imageUrl: url(path) })]
    await asKey(test, secret, { method: 'POST', url: '/api/integrations/menu/items', payload: { items } })
    // The queued job went down with the process.
    await test.ctx.jobs.forget([shop.id])
    const isDone = await fetchPictures(crashAt(test.ctx, point).ctx, shop.id).then(() => true, isCrash)
    test.clock.advance({ minutes: 16 })
    await test.ctx.jobs.enqueue('menus.sweep-imports', {})
    await test.runJobs()
    expect(
      await test.db.selectFrom('menu_pictures').select(['due_at', 'error', 'leased_until']).where('url', '=', url(path)).execute(),
    ).toEqual([{ due_at: null, error: null, leased_until: null }])
    expect((await status()).pictures).toEqual({ waiting: 0, failed: 0 })
    expect(await findWrongMediaUses(test.db)).toEqual([])
    if (isDone) {
      expect(point).toBeGreaterThan(3)
      break
    }
  }
})

it('refuses an invalid address and accepts the other rows', async () => {
  const { errors, itemsAdded } = await sync(item('1', { imageUrl: 'haze.jpg' }), item('2', { imageUrl: 'javascript:alert(1)' }), item('3'))
  expect([itemsAdded, errors.map(({ id, field }) => [id, field])]).toEqual([
    1,
    [
      ['1', 'imageUrl'],
      ['2', 'imageUrl'],
    ],
  ])
})

it('reads the first address in each cell of a file’s photo column', async () => {
  const entry = await send(`Name,Price,Photo URL\nHaze,35,"${url()}, ${url('/other.jpg')}"\nKush,30,haze.jpg\nPlain,12,\n`)
  expect(entry.columns.map(({ field }) => field)).toEqual(['name', 'price', 'imageUrl'])
  expect(entry.rowNotes).toEqual([{ row: 3, field: 'imageUrl', message: '“haze.jpg” isn’t a web address. No picture was added.' }])
  expect(entry.preview[0]?.values.imageUrl).toBe(url())
  expect(await start(entry)).toMatchObject({ status: 'done', itemsAdded: 3 })
  expect((await shown()).map(({ image_id }) => image_id !== null)).toEqual([true, false, false])
  expect(asked).toEqual(['/haze.jpg'])
  await start(await send('Name,Price\nHaze,36\n'))
  expect(await imageOf('Haze')).toEqual(expect.any(String))
})

it('restores the old picture when an import is undone', async () => {
  await start(await send(`Name,Price,Image\nHaze,35,${url()}\n`))
  const before = await imageOf('Haze')
  pictures.set('/new.jpg', { body: await pictureWithSecrets('jpeg', 70, 70) })
  const second = await start(await send(`Name,Price,Image\nHaze,35,${url('/new.jpg')}\n`))
  expect(await imageOf('Haze')).not.toBe(before)
  const undone = await test.request('POST', `/api/businesses/${shop.id}/menu-imports/${second.id}/undo`, owner, {})
  expect(undone.statusCode, undone.body).toBe(200)
  expect(await imageOf('Haze')).toBe(before)
})

it('keeps the files of removed items until the import can’t be undone, and restores the posts about them', async () => {
  await start(await send('Name,Price\nItem 1,35\nKush,30\n'))
  const upload = await uploadsOf(test).upload(owner, await pictureWithSecrets('png'))
  await showByHand(upload.id)
  const removed = await test.db
    .selectFrom('products')
    .select('id')
    .where('business_id', '=', shop.id)
    .where('name', '=', 'Item 1')
    .executeTakeFirstOrThrow()
  const post = await addPost(test.db, { author_id: owner.user.id, linked_product_id: removed.id })
  const linked = () => test.db.selectFrom('posts').select('linked_product_id').where('id', '=', post.id).executeTakeFirstOrThrow()
  const importWithout = async () => {
    const entry = await send('Name,Price\nKush,30\n')
    await ok('PUT', imports(`/${entry.id}/mapping`), { fields: ['name', 'price'], missingItems: 'remove' })
    return start(entry)
  }
  const sweep = async () => {
    await test.ctx.jobs.enqueue('menus.sweep-imports', {})
    await test.ctx.jobs.enqueue('media.sweep', {})
    await test.runJobs()
  }

  test.clock.advance({ days: 2 })
  const { id, itemsRemoved } = await importWithout()
  expect([itemsRemoved, await linked()]).toEqual([1, { linked_product_id: null }])
  test.clock.advance({ days: 2 })
  await sweep()
  await ok('POST', imports(`/${id}/undo`), {})
  expect(await imageOf('Item 1')).toBe(upload.id)
  expect((await test.request('GET', `/media/${upload.id}/small.webp`, owner)).statusCode).toBe(200)
  expect(await linked()).toEqual({ linked_product_id: removed.id })
  expect(await findWrongMediaUses(test.db)).toEqual([])

  await importWithout()
  test.clock.advance({ days: 31 })
  await sweep()
  expect(await test.db.selectFrom('media').select('id').where('id', '=', upload.id).execute()).toEqual([])
})
