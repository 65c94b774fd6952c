import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GrowLog, PhotosOfDay } from '#contracts/grow-logs.ts'
import { newId } from '#server/kernel/ids.ts'
import { addHunt, addPlants, shareHunt } from '#tests/support/hunts.ts'
import { recordMediaUses } from '#tests/support/media-uses.ts'
import { pictureWithSecrets, secretsIn } from '#tests/support/pictures.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { uploadsOf } from '#tests/support/uploads.ts'

let test: TestApp
let uploads: ReturnType<typeof uploadsOf>
let owner: TestPerson
let writer: TestPerson
let viewer: TestPerson
let stranger: TestPerson
let huntId: string
let plantIds: string[]

beforeAll(async () => {
  test = await startTestApp()
  uploads = uploadsOf(test)
  owner = await test.signUp()
  writer = await test.signUp()
  viewer = await test.signUp()
  stranger = await test.signUp()
  huntId = (await addHunt(test.db, owner.user.id)).id
  plantIds = (await addPlants(test.db, huntId, 2)).map(({ id }) => id)
  await shareHunt(test.db, huntId, writer.user.id, 'write')
  await shareHunt(test.db, huntId, viewer.user.id, 'view')
})
afterAll(() => test?.close())

const photo = async (as: TestPerson) => uploads.upload(as, await pictureWithSecrets('jpeg'))
const send = (as: TestPerson, body: object) => test.request('POST', '/api/grow-logs', as, { huntId, loggedOn: '2026-03-02', ...body })
async function written(as: TestPerson, body: object): Promise<GrowLog> {
  const answer = await send(as, body)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json() as GrowLog
}
const statusOf = async (as: TestPerson | null, mediaId: string) => (await uploads.get(`/media/${mediaId}/small.webp`, as)).statusCode
const people = () => [owner, writer, viewer, stranger, null]
const statuses = (mediaId: string) => Promise.all(people().map((as) => statusOf(as, mediaId)))

describe('a photo of a log', () => {
  it('is visible to everyone who may see the hunt, without its location metadata', async () => {
    const { id } = await photo(writer)
    expect(await statuses(id)).toEqual([404, 200, 404, 404, 404])
    const log = await written(writer, { plantId: plantIds[0], mediaIds: [id] })
    expect(log.photos.map((each) => each.id)).toEqual([id])
    expect(await statuses(id)).toEqual([200, 200, 200, 404, 404])
    const file = await uploads.get(`/media/${id}/small.webp`, viewer)
    expect(file.headers['cache-control']).toBe('private, no-cache')
    expect(await secretsIn(file.rawPayload)).toEqual([])

    await test.db.updateTable('hunts').set({ visibility: 'public', published_at: test.clock.now() }).where('id', '=', huntId).execute()
    expect(await statuses(id)).toEqual([200, 200, 200, 200, 404])
    await test.db.insertInto('person_blocks').values({ blocker_id: stranger.user.id, blocked_id: owner.user.id }).execute()
    expect(await statuses(id)).toEqual([200, 200, 200, 404, 404])
    await test.db.deleteFrom('person_blocks').execute()
    await test.db.updateTable('hunts').set({ visibility: 'private', published_at: null }).where('id', '=', huntId).execute()
    expect(await statuses(id)).toEqual([200, 200, 200, 404, 404])

    await test.request('DELETE', `/api/grow-logs/${log.id}`, owner)
    // Only the uploader still sees the file; restoring the log shows it again to everyone who may see the hunt.
    expect(await statuses(id)).toEqual([404, 200, 404, 404, 404])
    await test.request('POST', `/api/grow-logs/${log.id}/restore`, owner)
    expect(await statuses(id)).toEqual([200, 200, 200, 404, 404])
  })

  it('must be the author’s own, ready, and not used elsewhere', async () => {
    const { id } = await photo(owner)
    const refused = async (as: TestPerson, body: object) => (await send(as, body)).json().fields
    expect(await refused(writer, { mediaIds: [id] })).toEqual({ mediaIds: 'One of these uploads no longer exists, or isn’t yours' })
    expect(await refused(owner, { mediaIds: [id, id] })).toEqual({ mediaIds: 'Add each photo only once' })
    const waiting = await uploads.send(owner, await pictureWithSecrets('jpeg'))
    expect(await refused(owner, { mediaIds: [waiting.id] })).toEqual({ mediaIds: 'One of these uploads isn’t ready yet' })
    await test.runJobs()
    await written(owner, { mediaIds: [id] })
    expect(await refused(owner, { mediaIds: [id] })).toEqual({ mediaIds: 'One of these uploads is already shown somewhere' })
    expect((await test.request('DELETE', `/api/media/${id}`, owner)).statusCode).toBe(409)
    expect((await test.request('PATCH', `/api/media/${id}`, owner, { alt: 'The tip of #1' })).statusCode).toBe(200)
  })

  it('is sent idempotently with the log and changes with a correction', async () => {
    const [first, second] = [await photo(writer), await photo(writer)]
    const id = newId()
    const body = { id, plantId: plantIds[1], mediaIds: [first.id, second.id] }
    const answers = await Promise.all([1, 2, 3].map(() => send(writer, body)))
    expect(answers.map((answer) => answer.statusCode)).toEqual([201, 201, 201])
    const third = await photo(owner)
    const changed = await test.request('PATCH', `/api/grow-logs/${id}`, owner, { mediaIds: [third.id, second.id], version: 1 })
    expect((changed.json() as GrowLog).photos.map((each) => each.id)).toEqual([third.id, second.id])
    const again = await send(writer, body)
    expect([again.statusCode, again.json().version]).toEqual([201, 2])
    const { said } = await test.db.selectFrom('grow_log_versions').select('said').where('log_id', '=', id).executeTakeFirstOrThrow()
    expect(said).toMatchObject({ mediaIds: [first.id, second.id] })
  })

  it('is listed with the day’s other photos', async () => {
    const [a, b, c] = [await photo(owner), await photo(owner), await photo(owner)]
    await written(owner, { loggedOn: '2026-04-01', plantId: plantIds[1], mediaIds: [a.id, b.id] })
    await written(owner, { loggedOn: '2026-04-01', mediaIds: [c.id] })
    const answer = await test.request('GET', `/api/pheno-hunts/${huntId}/photos`, viewer)
    const { on, days, plants } = answer.json() as PhotosOfDay
    expect([on, days[0]]).toEqual(['2026-04-01', { on: '2026-04-01', photosCount: 3 }])
    expect(plants.map(({ plant, photos }) => [plant?.number ?? null, photos.map(({ media }) => media.id)])).toEqual([
      [null, [c.id]],
      [2, [a.id, b.id]],
    ])
    const earlier = await test.request('GET', `/api/pheno-hunts/${huntId}/photos?on=2026-03-02`, viewer)
    expect((earlier.json() as PhotosOfDay).plants.length).toBeGreaterThan(0)
    expect(((await test.request('GET', `/api/pheno-hunts/${huntId}/photos?on=2020-01-01`, viewer)).json() as PhotosOfDay).plants).toEqual(
      [],
    )
  })

  it('is kept while a log or an observation uses it', async () => {
    const [inLog, inTrait, unused] = [await photo(owner), await photo(owner), await photo(owner)]
    const log = await written(owner, { mediaIds: [inLog.id] })
    const traitId = newId()
    await test.db.insertInto('traits').values({ id: traitId, hunt_id: huntId, name: 'Bud', kind: 'photo' }).execute()
    const observation = newId()
    await test.db
      .insertInto('observations')
      .values({
        id: observation,
        hunt_id: huntId,
        trait_id: traitId,
        plant_id: plantIds[0] as string,
        observed_on: '2026-04-02',
        media_id: inTrait.id,
      })
      .execute()
    await recordMediaUses(test.db, 'observation', observation)
    const { plants } = (await test.request('GET', `/api/pheno-hunts/${huntId}/photos?on=2026-04-02`, viewer)).json() as PhotosOfDay
    expect(plants[0]?.photos).toMatchObject([{ media: { id: inTrait.id }, logId: null }])

    const left = async () => {
      test.clock.advance({ hours: 25 })
      await test.ctx.jobs.enqueue('media.sweep', {})
      await test.runJobs()
      const rows = await test.db.selectFrom('media').select('id').where('id', 'in', [inLog.id, inTrait.id, unused.id]).execute()
      return rows.map((row) => row.id).sort()
    }
    expect(await left()).toEqual([inLog.id, inTrait.id].sort())
    await test.db.deleteFrom('grow_logs').where('id', '=', log.id).execute()
    expect(await left()).toEqual([inTrait.id])
  })
})
