import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AwaitedPhoto } from '#contracts/archive-photos.endpoints.ts'
import type { GrowLog } from '#contracts/grow-logs.ts'
import { type HuntDocument, hashedText } from '#contracts/hunt-archive.endpoints.ts'
import type { Hunt } from '#contracts/hunts.ts'
import type { Media } from '#contracts/media.ts'
import type { Observation } from '#contracts/observations.endpoints.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { pictureWithSecrets, secretsIn } from '#tests/support/pictures.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { unzip } from '#tests/support/unzip.ts'
import { uploadsOf } from '#tests/support/uploads.ts'

let test: TestApp
let uploads: ReturnType<typeof uploadsOf>
let owner: TestPerson
let viewer: TestPerson
let stranger: TestPerson
let huntId: string
let files: Map<string, Buffer>
let document: HuntDocument

beforeAll(async () => {
  test = await startTestApp()
  uploads = uploadsOf(test)
  owner = await test.signUp()
  viewer = await test.signUp()
  stranger = await test.signUp()
  huntId = await huntWithPhotos()
  files = unzip((await zipped(huntId)).rawPayload)
  document = JSON.parse(String(files.get('hunt.json'))) as HuntDocument
})
afterAll(() => test?.close())

const made = async (method: 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'GET', path: string, body?: object, status = 201) => {
  const answer = await test.request(method, path, owner, body)
  expect(answer.statusCode, `${path} ${answer.body}`).toBe(status)
  return answer.body === '' ? null : answer.json()
}
const picture = async (width: number, height: number) => uploads.upload(owner, await pictureWithSecrets('jpeg', width, height))
const zipped = (id: string, as: TestPerson | null = owner) => test.request('GET', `/api/pheno-hunts/${id}/export.zip`, as)

async function huntWithPhotos(): Promise<string> {
  const { id } = await addHunt(test.db, owner.user.id, { hunt_name: 'Lemon × Haze' })
  const [plant] = await addPlants(test.db, id, 1)
  await shareHunt(test.db, id, viewer.user.id, 'view')
  const [tall, wide, bud] = [await picture(300, 500), await picture(640, 200), await picture(400, 400)]
  await made('PATCH', `/api/media/${tall.id}`, { alt: 'The whole plant' }, 200)
  await made('POST', '/api/grow-logs', { huntId: id, loggedOn: '2026-09-19', notes: 'Dry' })
  const log = { huntId: id, plantId: plant?.id, loggedOn: '2026-09-20', mediaIds: [wide.id, tall.id] }
  await made('POST', '/api/grow-logs', log)
  const trait = await made('POST', `/api/pheno-hunts/${id}/traits`, { name: 'Bud', kind: 'photo' })
  const value = { kind: 'photo', mediaId: bud.id }
  const score = { id: newId(), traitId: trait.id, plantId: plant?.id, observedOn: '2026-10-01', value, note: 'Side', isBlind: true }
  await made('POST', `/api/pheno-hunts/${id}/observations`, { observations: [score] })
  return id
}

const importDocument = async (body: object = document) => (await made('POST', '/api/hunt-imports', body)) as Hunt
const awaited = async (id: string) => (await made('GET', `/api/pheno-hunts/${id}/awaited-photos`, undefined, 200)) as AwaitedPhoto[]
const restore = (id: string, mediaId: string, as = owner) => test.request('PUT', `/api/awaited-photos/${id}`, as, { mediaId })
const send = async (file: string) => uploads.upload(owner, files.get(file) as Buffer, 'image/webp')

async function shown(id: string) {
  const logs = (await made('GET', `/api/grow-logs?huntId=${id}`, undefined, 200)) as GrowLog[]
  const scores = (await made('GET', `/api/pheno-hunts/${id}/observations`, undefined, 200)) as Observation[]
  const photos = [
    ...logs.flatMap(({ loggedOn, plant, photos }) => photos.map((each) => ({ loggedOn, of: plant?.number ?? null, media: each }))),
    ...scores.flatMap(({ observedOn, note, isBlind, photo }) => (photo ? [{ observedOn, note, isBlind, media: photo }] : [])),
  ]
  return photos.map(({ media, ...about }) => ({ ...about, alt: media.alt, width: media.width, height: media.height, media }))
}

async function pixelsOf(media: Media): Promise<Buffer> {
  const answer = await uploads.get(media.sources.at(-1)?.webp ?? '', owner)
  expect(answer.statusCode).toBe(200)
  return sharp(answer.rawPayload).removeAlpha().raw().toBuffer()
}

it('states the size of the photos before they are downloaded', async () => {
  const size = await made('GET', `/api/pheno-hunts/${huntId}/photo-archive`, undefined, 200)
  const photos = [...files].filter(([name]) => name !== 'hunt.json')
  expect(size).toEqual({ photoCount: 3, byteSize: photos.reduce((sum, [, { length }]) => sum + length, 0) })
})

it('streams the document and its photos, without metadata, as one ZIP of known length', async () => {
  const answer = await zipped(huntId)
  expect(answer.headers).toMatchObject({ 'content-type': 'application/zip', 'content-length': `${answer.rawPayload.length}` })
  expect(document.photos?.map(({ file }) => file.replace(/-\w{12}\.webp$/, ''))).toEqual([
    'photos/2026-09-20-plant-1',
    'photos/2026-09-20-plant-1',
    'photos/2026-10-01-plant-1',
  ])
  expect([...files.keys()]).toEqual(['hunt.json', ...(document.photos ?? []).map(({ file }) => file)])
  for (const { file } of document.photos ?? []) expect(await secretsIn(files.get(file) as Buffer)).toEqual([])
  // The rest is the document without photos, so a proof of one also proves the other.
  const { photos: _, ...rest } = document
  const plain = await made('GET', `/api/pheno-hunts/${huntId}/export.json`, undefined, 200)
  expect({ ...rest, exportedAt: '' }).toEqual({ ...plain, exportedAt: '' })
  expect(hashedText(document)).toBe(hashedText(plain))
})

it('restores every photo to its original place, almost unchanged, and awaits the missing ones', async () => {
  const copy = await importDocument()
  expect(copy.photosAwaited).toBe(3)
  const [first, ...others] = await awaited(copy.id)
  expect([first, ...others].map((photo) => photo?.file)).toEqual(document.photos?.map(({ file }) => file))
  if (!first) return
  // In reverse, because the order of arrival must not matter.
  const arrived: { id: string; mediaId: string }[] = []
  for (const photo of [...others.toReversed(), first]) {
    const media = await send(photo.file)
    expect((await restore(photo.id, media.id)).statusCode).toBe(204)
    arrived.push({ id: photo.id, mediaId: media.id })
    expect((await awaited(copy.id)).length).toBe(3 - arrived.length)
  }
  for (const { id, mediaId } of arrived) expect((await restore(id, mediaId)).statusCode).toBe(204)
  const [score, ...inLogs] = arrived
  for (const { mediaId } of inLogs) expect((await restore(score?.id ?? '', mediaId)).statusCode).toBe(404)
  expect((await made('GET', `/api/pheno-hunts/${copy.id}`, undefined, 200)).photosAwaited).toBe(0)
  const [before, after] = [await shown(huntId), await shown(copy.id)]
  const facts = (photos: typeof before) => photos.map(({ media: _, ...about }) => about)
  expect(facts(after)).toEqual(facts(before))
  expect(before).toHaveLength(3)
  for (const [i, { media }] of before.entries()) {
    const [old, now] = [await pixelsOf(media), await pixelsOf(after[i]?.media as Media)]
    expect(now.length).toBe(old.length)
    const difference = old.reduce((sum, value, at) => sum + Math.abs(value - (now[at] ?? 0)), 0) / old.length
    expect(difference).toBeLessThan(6)
  }
  const again = JSON.parse(String(unzip((await zipped(copy.id)).rawPayload).get('hunt.json'))) as HuntDocument
  const places = ({ photos = [] }: HuntDocument) => photos.map(({ file: _, ...place }) => place)
  expect(places(again)).toEqual(places(document))
})

it('adds a photo after others added to its log in the meantime, or in a gap, and stops at a log’s limit', async () => {
  const copy = await importDocument()
  const [first, second] = await awaited(copy.id)
  const log = (await made('GET', `/api/grow-logs?huntId=${copy.id}`, undefined, 200)).find(
    ({ loggedOn }: GrowLog) => loggedOn === '2026-09-20',
  )
  const added = await picture(96, 64)
  await made('PATCH', `/api/grow-logs/${log.id}`, { version: log.version, mediaIds: [added.id] }, 200)
  const media = await send(first?.file ?? '')
  expect((await restore(first?.id ?? '', media.id)).statusCode).toBe(204)
  const now = (await made('GET', `/api/grow-logs/${log.id}`, undefined, 200)) as GrowLog
  expect(now.photos.map(({ id }) => id)).toEqual([added.id, media.id])
  const more = []
  for (let width = 40; width < 48; width++) more.push((await picture(width, 30)).id)
  await made('PATCH', `/api/grow-logs/${log.id}`, { version: now.version, mediaIds: [added.id, media.id, ...more] }, 200)
  const last = await send(second?.file ?? '')
  const full = await restore(second?.id ?? '', last.id)
  expect([full.statusCode, full.json().message]).toEqual([409, 'A log can have up to 10 photos.'])
  await test.db.deleteFrom('grow_log_photos').where('log_id', '=', log.id).where('position', '=', 1).execute()
  expect((await restore(second?.id ?? '', last.id)).statusCode).toBe(204)
  const filled = (await made('GET', `/api/grow-logs/${log.id}`, undefined, 200)) as GrowLog
  expect(filled.photos.map(({ id }) => id)).toEqual([added.id, last.id, ...more])
})

it('attaches only ready uploads of the person, once each', async () => {
  const copy = await importDocument()
  const [first, second] = await awaited(copy.id)
  const media = await send(first?.file ?? '')
  const unfinished = await uploads.begin(owner, 100)
  expect((await restore(first?.id ?? '', unfinished.json().id)).statusCode).toBe(400)
  const foreign = await uploads.upload(stranger, await pictureWithSecrets('jpeg'))
  expect((await restore(first?.id ?? '', foreign.id)).statusCode).toBe(400)
  expect((await restore(first?.id ?? '', media.id)).statusCode).toBe(204)
  expect((await restore(second?.id ?? '', media.id)).statusCode).toBe(400)
})

it('stops awaiting photos on request', async () => {
  const copy = await importDocument()
  const [first] = await awaited(copy.id)
  await made('DELETE', `/api/pheno-hunts/${copy.id}/awaited-photos`, undefined, 204)
  await made('DELETE', `/api/pheno-hunts/${copy.id}/awaited-photos`, undefined, 204)
  expect(await awaited(copy.id)).toEqual([])
  const media = await send(first?.file ?? '')
  expect((await restore(first?.id ?? '', media.id)).statusCode).toBe(404)
})

it('reveals nothing to people who may not edit the hunt', async () => {
  const copy = await importDocument()
  const [first] = await awaited(copy.id)
  const media = await uploads.upload(stranger, await pictureWithSecrets('jpeg'))
  expect((await restore(first?.id ?? '', media.id, stranger)).statusCode).toBe(404)
  const calls = (id: string) =>
    [
      ['GET', `/api/pheno-hunts/${id}/photo-archive`],
      ['GET', `/api/pheno-hunts/${id}/export.zip`],
      ['GET', `/api/pheno-hunts/${id}/awaited-photos`],
      ['DELETE', `/api/pheno-hunts/${id}/awaited-photos`],
    ] as const
  for (const [method, url] of calls(huntId)) {
    const status = async (as: TestPerson | null) => (await test.request(method, url, as)).statusCode
    expect([url, await status(viewer), await status(stranger), await status(null)]).toEqual([url, 403, 404, 401])
  }
  expect(await awaited(copy.id)).toHaveLength(3)
})

it('refuses documents with invalid file names or references in their photos', async () => {
  const [log, , score] = document.photos ?? []
  const refused = async (...photos: object[]) => {
    const answer = await test.request('POST', '/api/hunt-imports', owner, { ...document, photos })
    return [answer.statusCode, Object.values(answer.json().fields ?? {})[0]]
  }
  const named = (file: string) => refused({ ...log, file })
  for (const file of ['photos/../../etc/passwd.webp', '/photos/a.webp', 'photos/a/b.webp', 'photos/a.svg', 'a.webp', 'photos/.webp']) {
    expect([file, ...(await named(file))]).toEqual([file, 400, 'This isn’t the name of a photo'])
  }
  expect(await refused({ ...log, growLog: 99 })).toEqual([400, 'Refers to an entry that isn’t in growLogs'])
  expect(await refused({ ...score, score: { ...score?.score, plant: 99 } })).toEqual([400, 'Refers to an entry that isn’t in plants'])
  expect(await refused(log as object, log as object)).toEqual([400, 'Another photo has this file'])
  expect(await refused({ ...log, score: score?.score })).toEqual([400, 'Must belong to either a log or a score'])
  expect(await refused({ ...log, growLog: null })).toEqual([400, 'Must belong to either a log or a score'])
  const many = Array.from({ length: 11 }, (_, i) => ({ ...log, file: `photos/${i}.webp` }))
  expect(await refused(...many)).toEqual([400, 'A log can have up to 10 photos'])
})
