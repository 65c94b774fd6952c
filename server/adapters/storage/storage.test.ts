import { once } from 'node:events'
import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ByteRange, readWhole, type Storage } from '#server/kernel/storage.ts'
import { type S3Server, startS3Server } from '#tests/support/s3-server.ts'
import { createFolderStorage, createS3Storage } from './index.ts'

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-storage-'))
let s3: S3Server

beforeAll(async () => {
  s3 = await startS3Server()
})
afterAll(async () => {
  await s3.close()
  fs.rmSync(root, { recursive: true, force: true })
})

const content = Buffer.from('0123456789')

async function read(storage: Storage, key: string, range?: ByteRange) {
  const file = await storage.get(key, range)
  if (!file || 'outOfRange' in file) return file
  const parts: Buffer[] = []
  for await (const part of file.body) parts.push(part as Buffer)
  return { text: Buffer.concat(parts).toString(), size: file.size, first: file.first, last: file.last }
}

describe.each([
  ['a folder', () => createFolderStorage(path.join(root, 'files'))],
  ['an S3 store', () => createS3Storage(s3.settings, 1)],
] as const)('%s', (_name, open) => {
  it('returns stored content, whole and in ranges', async () => {
    const storage = open()
    await storage.put('media/one/small.avif', content, 'image/avif')
    expect(await read(storage, 'media/one/small.avif')).toEqual({ text: '0123456789', size: 10, first: 0, last: 9 })
    expect(await read(storage, 'media/one/small.avif', { first: 3, last: 5 })).toEqual({ text: '345', size: 10, first: 3, last: 5 })
    expect(await read(storage, 'media/one/small.avif', { first: 7 })).toEqual({ text: '789', size: 10, first: 7, last: 9 })
    expect(await read(storage, 'media/one/small.avif', { first: 7, last: 99 })).toEqual({ text: '789', size: 10, first: 7, last: 9 })
    expect(await read(storage, 'media/one/small.avif', { lastBytes: 4 })).toEqual({ text: '6789', size: 10, first: 6, last: 9 })
    expect(await read(storage, 'media/one/small.avif', { first: 10 })).toEqual({ outOfRange: true, size: 10 })
    await storage.put('media/one/small.avif', Buffer.from('new'), 'image/avif')
    expect((await readWhole(storage, 'media/one/small.avif'))?.toString()).toBe('new')
  })

  it('stores a local file', async () => {
    const storage = open()
    const file = path.join(root, 'made.zip')
    fs.writeFileSync(file, Buffer.alloc(3_000_000, 5))
    await storage.putFile('exports/one.zip', file, 'application/zip')
    expect((await readWhole(storage, 'exports/one.zip'))?.equals(Buffer.alloc(3_000_000, 5))).toBe(true)
    fs.rmSync(file, { force: true })
    await expect(storage.putFile('exports/none.zip', file, 'application/zip')).rejects.toThrow()
  })

  it('finds nothing for an unknown key and deletes idempotently', async () => {
    const storage = open()
    expect(await storage.get('media/none/small.avif')).toBeNull()
    expect(await readWhole(storage, 'media/none/small.avif')).toBeNull()
    await storage.put('uploads/two/0-10', content, 'application/octet-stream')
    await storage.delete(['uploads/two/0-10', 'uploads/two/10-20', 'uploads/three/0-1'])
    expect(await storage.get('uploads/two/0-10')).toBeNull()
  })

  it('rejects keys that could escape the store', async () => {
    const storage = open()
    for (const key of [
      '../secrets.json',
      'media/../../x',
      '/etc/passwd',
      'media//x',
      'media/.hidden',
      'a\\b',
      'a b',
      'media/',
      '',
      'a\0b',
    ]) {
      await expect(storage.get(key), key).rejects.toThrow(/not a storage key/)
      await expect(storage.put(key, content, 'text/plain'), key).rejects.toThrow(/not a storage key/)
      await expect(storage.delete([key]), key).rejects.toThrow(/not a storage key/)
    }
  })
})

describe('a folder', () => {
  it('leaves no partial file when the disk is full, and keeps the old file', async () => {
    const folder = path.join(root, 'full')
    await createFolderStorage(folder).put('media/a/large.webp', content, 'image/webp')
    const full = createFolderStorage(folder, async (file) => {
      fs.writeFileSync(file as string, 'half')
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    })
    await expect(full.put('media/a/large.webp', Buffer.from('another'), 'image/webp')).rejects.toMatchObject({
      code: 'unavailable',
      message: 'There’s no space for more files right now. Try again later.',
    })
    expect(
      fs
        .readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map((each) => each.name),
    ).toEqual(['large.webp'])
    expect((await readWhole(full, 'media/a/large.webp'))?.toString()).toBe('0123456789')
  })

  it('removes a folder along with its last file', async () => {
    const storage = createFolderStorage(path.join(root, 'tidy'))
    await storage.put('media/a/small.webp', content, 'image/webp')
    await storage.put('media/a/large.webp', content, 'image/webp')
    await storage.delete(['media/a/small.webp'])
    expect(fs.existsSync(path.join(root, 'tidy/media/a'))).toBe(true)
    await storage.delete(['media/a/large.webp'])
    expect(fs.existsSync(path.join(root, 'tidy/media/a'))).toBe(false)
  })
})

describe('an S3 store', () => {
  it('receives the content type, and the bucket as part of the path', async () => {
    await createS3Storage(s3.settings).put('media/a/video.mp4', content, 'video/mp4')
    expect(s3.files.get('/grove/media/a/video.mp4')).toEqual({ bytes: content, type: 'video/mp4' })
  })

  it('is retried once when busy', async () => {
    const storage = createS3Storage(s3.settings, 1)
    s3.failures.push(503)
    await storage.put('media/b/small.avif', content, 'image/avif')
    s3.failures.push(503)
    expect((await readWhole(storage, 'media/b/small.avif'))?.toString()).toBe('0123456789')
    s3.requests.length = 0
    s3.failures.push(503, 500)
    await expect(storage.get('media/b/small.avif')).rejects.toMatchObject({ code: 'unavailable' })
    expect(s3.requests).toHaveLength(2)
  })

  it('has a time limit for the response but not for a slow reader', async () => {
    const large = Buffer.alloc(8 * 1024 * 1024, 7)
    await createS3Storage(s3.settings, 1).put('media/d/video.mp4', large, 'video/mp4')
    const file = await createS3Storage(s3.settings, 1, 300).get('media/d/video.mp4')
    if (!file || 'outOfRange' in file) throw new Error('it is there')
    await sleep(600)
    let length = 0
    for await (const part of file.body) length += (part as Buffer).length
    expect(length).toBe(large.length)
  })

  it('times out after about ten seconds if it accepts a connection but never responds', async () => {
    const server = net.createServer(() => {}).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const silent = createS3Storage({ ...s3.settings, endpoint: `http://127.0.0.1:${port}` })
    const startedAt = performance.now()
    const chunk = Buffer.alloc(1024 * 1024)
    const calls = [
      silent.put('uploads/a/0-1', chunk, 'application/octet-stream'),
      silent.get('media/a/small.avif'),
      silent.delete(['media/a/small.avif']),
    ]
    for (const call of calls) {
      await expect(call).rejects.toMatchObject({
        code: 'unavailable',
        retryAfterSeconds: 5,
        message: 'File storage isn’t responding right now. Try again later.',
      })
    }
    expect(performance.now() - startedAt).toBeLessThan(11_000)
    server.close()
  })

  it('is unavailable if it can’t be reached', async () => {
    const gone = createS3Storage({ ...s3.settings, endpoint: 'http://127.0.0.1:9' }, 1)
    await expect(gone.get('media/b/small.avif')).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('reports a wrong secret with the store’s error, without a retry', async () => {
    const wrong = createS3Storage({ ...s3.settings, secretAccessKey: 'wrong' }, 1)
    s3.requests.length = 0
    await expect(wrong.put('media/c/small.avif', content, 'image/avif')).rejects.toThrow('403 (SignatureDoesNotMatch)')
    expect(s3.requests).toHaveLength(1)
  })
})
