import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { uploadChunkBytes } from '#contracts/media.rules.ts'
import type { Upload } from '#contracts/media.ts'
import { newId } from '#server/kernel/ids.ts'
import { addPostMedia } from './media-uses.ts'
import type { TestApp, TestPerson } from './test-app.ts'

export function uploadsOf(test: TestApp) {
  const begin = (as: TestPerson | null, byteSize: number, contentType = 'image/jpeg', headers = {}) =>
    test.app.inject({
      method: 'POST',
      url: '/api/media',
      headers: { ...(as ? { cookie: as.cookie } : {}), ...headers },
      payload: { contentType, byteSize, alt: 'A terrace' },
    })

  const put = (as: TestPerson, id: string, offset: number, bytes: Buffer) =>
    test.app.inject({
      method: 'PUT',
      url: `/api/media/${id}/bytes?offset=${offset}`,
      headers: { cookie: as.cookie, 'content-type': 'application/octet-stream' },
      payload: bytes,
    })

  const state = async (as: TestPerson, id: string) => (await test.request('GET', `/api/media/${id}`, as)).json() as Upload

  const send = async (as: TestPerson, bytes: Buffer, contentType = 'image/jpeg'): Promise<Upload> => {
    const begun = await begin(as, bytes.length, contentType)
    expect(begun.statusCode, begun.body).toBe(201)
    let upload = begun.json() as Upload
    for (let offset = 0; offset < bytes.length; offset += uploadChunkBytes) {
      const answer = await put(as, upload.id, offset, bytes.subarray(offset, offset + uploadChunkBytes))
      expect(answer.statusCode, answer.body).toBe(200)
      upload = answer.json() as Upload
    }
    return upload
  }

  const storedOf = (id: string) => {
    const root = path.join(test.dataDir, 'media')
    if (!fs.existsSync(root)) return []
    return fs
      .readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map((each) => path.relative(root, path.join(each.parentPath, each.name)).replaceAll('\\', '/'))
      .filter((key) => key.includes(id))
  }

  return {
    begin,
    put,
    state,
    /** Sends all bytes in chunks; processing waits for `runJobs`. */
    send,
    storedOf,
    /** Uploads a file and waits until it is ready. */
    async upload(as: TestPerson, bytes: Buffer, contentType = 'image/jpeg') {
      const sent = await send(as, bytes, contentType)
      await test.runJobs()
      const { media, error } = await state(as, sent.id)
      if (!media) throw new Error(`not ready: ${error}`)
      return media
    },
    get: (url: string, as: TestPerson | null = null, headers: Record<string, string> = {}) =>
      test.app.inject({ url, headers: { ...(as ? { cookie: as.cookie } : {}), ...headers } }),
    /** Inserts a post with these media directly. */
    async addPost(author: TestPerson, mediaIds: string[], details: { businessId?: string; isExclusive?: boolean } = {}) {
      const id = newId()
      await test.db
        .insertInto('posts')
        .values({
          id,
          author_id: author.user.id,
          business_id: details.businessId ?? null,
          title: 'A post',
          content: 'Words',
          post_type: 'update',
          is_exclusive: details.isExclusive ?? false,
        })
        .execute()
      await addPostMedia(test.db, id, mediaIds)
      return id
    },
  }
}
