import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Upload } from '#contracts/media.ts'
import { addPostMedia, addStoredPicture, recordMediaUses } from '#tests/support/media-uses.ts'
import { pictureWithSecrets } from '#tests/support/pictures.ts'
import { addPost } from '#tests/support/social.ts'
import { statementsOf } from '#tests/support/statements.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { uploadsOf } from '#tests/support/uploads.ts'
import { sweepMedia } from './remove-media.ts'

let test: TestApp
let uploads: ReturnType<typeof uploadsOf>
let owner: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  uploads = uploadsOf(test)
  owner = await test.signUp()
})
afterAll(() => test?.close())

describe('the sweep', () => {
  const sweep = async () => {
    await test.ctx.jobs.enqueue('media.sweep', {})
    await test.runJobs()
  }
  const isThere = async (id: string) =>
    (await test.db.selectFrom('media').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

  it('deletes only media that was unfinished or unused for a day, with all its files', async () => {
    const shown = await uploads.upload(owner, await pictureWithSecrets('png'))
    const postId = await uploads.addPost(owner, [shown.id])
    const portrait = await uploads.upload(owner, await pictureWithSecrets('png'))
    await test.db.updateTable('users').set({ image_id: portrait.id }).where('id', '=', owner.user.id).execute()
    await recordMediaUses(test.db, 'person', owner.user.id)
    const unused = await uploads.upload(owner, await pictureWithSecrets('png'))
    const unfinished = (await uploads.begin(owner, 400_000)).json() as Upload
    await uploads.put(owner, unfinished.id, 0, Buffer.alloc(100_000))
    const waiting = await uploads.send(owner, await pictureWithSecrets('png'))
    // The process died after writing a chunk and before recording it as received.
    await test.db.insertInto('media_chunks').values({ media_id: unfinished.id, starts_at: 100_000, ends_at: 200_000 }).execute()
    await test.ctx.storage.put(`uploads/${unfinished.id}/100000-200000`, Buffer.alloc(100_000), 'application/octet-stream')

    test.clock.advance({ hours: 23 })
    await sweep()
    expect(await isThere(unused.id)).toBe(true)
    test.clock.advance({ hours: 2 })
    const fresh = await uploads.upload(owner, await pictureWithSecrets('png'))
    await sweep()
    for (const { id } of [unused, unfinished]) {
      expect(await isThere(id)).toBe(false)
      expect(uploads.storedOf(id)).toEqual([])
    }
    for (const { id } of [shown, portrait, fresh]) {
      expect(await isThere(id)).toBe(true)
      expect(uploads.storedOf(id)).toHaveLength(6)
    }
    expect(await isThere(waiting.id)).toBe(true)

    await test.db.deleteFrom('posts').where('id', '=', postId).execute()
    test.clock.advance({ hours: 25 })
    await sweep()
    expect(await isThere(shown.id)).toBe(false)
    expect(uploads.storedOf(shown.id)).toEqual([])
  })

  it('cleans up after a crash: orphaned files and rows without files', async () => {
    const media = await uploads.upload(owner, await pictureWithSecrets('png'))
    test.clock.advance({ hours: 25 })
    await test.db.updateTable('media').set({ status: 'failed', owner_id: null }).where('id', '=', media.id).execute()
    await test.ctx.storage.delete([`media/${media.id}/small.avif`])
    await sweep()
    expect(await isThere(media.id)).toBe(false)
    expect(uploads.storedOf(media.id)).toEqual([])
  })
  it('reads a few files at a time, however few it deletes, and deletes the rest after a failure', async () => {
    await test.db.deleteFrom('media').where('owner_id', '=', owner.user.id).execute()
    const pictures: string[] = []
    for (let n = 0; n < 7; n++) pictures.push(await addStoredPicture(test.ctx, owner.user.id))
    const [first, , , , middle, , last] = pictures
    const unneeded = [first, middle, last]
    const shown = pictures.filter((id) => !unneeded.includes(id))
    await addPostMedia(test.db, await addPost(test.db, { author_id: owner.user.id }), shown)
    // Files of the same age must not be skipped at the end of a batch.
    await test.db
      .updateTable('media')
      .set({ created_at: new Date('2026-01-01'), updated_at: new Date('2026-01-01') })
      .execute()
    const left = async () => (await test.db.selectFrom('media').select('id').orderBy('id').execute()).map(({ id }) => id)

    const broken = { ...test.ctx.storage, delete: () => Promise.reject(new Error('The disk is full.')) }
    await expect(sweepMedia({ ...test.ctx, storage: broken }, 2)).rejects.toThrow('The disk is full.')
    expect(await left()).toEqual(pictures.toSorted())

    test.clock.advance({ hours: 25 })
    let removed = 0
    const statements = await statementsOf(async () => {
      removed = (await sweepMedia(test.ctx, 2)).removed
    })
    expect(removed).toBe(3)
    expect(await left()).toEqual(shown.toSorted())
    for (const id of pictures) expect(uploads.storedOf(id).length > 0, id).toBe(shown.includes(id))
    expect(statements.filter((text) => /from "media" where "created_at" </.test(text))).toHaveLength(4)
    expect((await sweepMedia(test.ctx, 2)).removed).toBe(0)
  })
})
