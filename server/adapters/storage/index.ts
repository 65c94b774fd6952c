import { openAsBlob } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import type { Config } from '#server/config.ts'
import { AppError } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { type ByteRange, isOutOfSpace, requireKey, resolveRange, type Storage } from '#server/kernel/storage.ts'

export const createStorage = (config: Pick<Config, 'dataDir' | 's3'>): Storage =>
  config.s3 ? createS3Storage(config.s3) : createFolderStorage(path.join(config.dataDir, 'media'))

const full = (cause: unknown) =>
  new AppError('unavailable', { message: 'There’s no space for more files right now. Try again later.', cause })

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''

/** Stores files in a local folder. Several nodes must share the folder or use S3. */
export function createFolderStorage(root: string, writeFile: typeof fs.writeFile = fs.writeFile): Storage {
  const fileOf = (key: string) => path.join(root, ...requireKey(key).split('/'))

  return {
    async put(key, bytes) {
      const file = fileOf(key)
      const draft = path.join(root, `.${newId()}.part`)
      try {
        await fs.mkdir(path.dirname(file), { recursive: true })
        // Written to a draft, flushed, and renamed, so after a power failure the file is either whole or missing.
        await writeFile(draft, bytes, { flush: true })
        await fs.rename(draft, file)
      } catch (error) {
        await fs.rm(draft, { force: true }).catch(() => {})
        throw isOutOfSpace(error) ? full(error) : error
      }
    },
    async putFile(key, file) {
      const target = fileOf(key)
      const draft = path.join(root, `.${newId()}.part`)
      try {
        await fs.mkdir(path.dirname(target), { recursive: true })
        const handle = await fs.open(file, 'r+')
        await handle.sync().finally(() => handle.close())
        // A rename is atomic on the same disk. Across disks, the file must be copied.
        await fs.rename(file, target).catch(async (error: unknown) => {
          if (codeOf(error) !== 'EXDEV') throw error
          await fs.copyFile(file, draft)
          await fs.rename(draft, target)
        })
      } catch (error) {
        await fs.rm(draft, { force: true }).catch(() => {})
        throw isOutOfSpace(error) ? full(error) : error
      }
    },
    async get(key, range) {
      const handle = await fs.open(fileOf(key)).catch((error: unknown) => {
        if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error))) return null
        throw error
      })
      if (!handle) return null
      try {
        const { size, isFile } = await handle.stat().then((stat) => ({ size: stat.size, isFile: stat.isFile() }))
        const bytes = resolveRange(range, size)
        if (!isFile || !bytes) {
          await handle.close()
          return isFile ? { outOfRange: true, size } : null
        }
        const isEmpty = bytes.last < bytes.first
        if (isEmpty) await handle.close()
        const body = isEmpty ? Readable.from([]) : handle.createReadStream({ start: bytes.first, end: bytes.last })
        return { size, ...bytes, body }
      } catch (error) {
        await handle.close().catch(() => {})
        throw error
      }
    },
    async delete(keys) {
      const folders = new Set<string>()
      for (const key of keys) {
        const file = fileOf(key)
        await fs.rm(file, { force: true })
        folders.add(path.dirname(file))
      }
      for (const folder of folders) {
        // Only empty folders are deleted, and never the root.
        if (folder !== root) await fs.rmdir(folder).catch(() => {})
      }
    },
  }
}

type S3Settings = { endpoint: string; bucket: string; region: string; accessKeyId: string; secretAccessKey: string }

const deletesAtOnce = 10
/** Uploads larger than a chunk get more time, based on this speed. */
const slowestBytesPerSecond = 500_000
const chunkBytes = 1024 * 1024
const retryAfterSeconds = 5

/**
 * Works with any S3-compatible store, with path-style URLs. Temporary errors are retried once. The time limit covers both attempts until
 * the response starts, but not reading the response.
 */
export function createS3Storage(settings: S3Settings, retryDelayMs = 300, timeLimitMs = 10_000): Storage {
  const { accessKeyId, secretAccessKey, region } = settings
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' })
  const root = `${settings.endpoint.replace(/\/$/, '')}/${settings.bucket}`

  const attempt = async (key: string, request: RequestInit, limitMs: number): Promise<Response | null> => {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new DOMException('The storage took too long.', 'TimeoutError')), limitMs)
    try {
      // A signal on the signed request would be lost if that request were garbage-collected before its response arrives.
      const response = await fetch(await client.sign(`${root}/${requireKey(key)}`, request), { signal: late.signal })
      if (response.status < 500 && response.status !== 429) return response
      await response.body?.cancel()
      return null
    } catch (error) {
      if (error instanceof TypeError || (error as Error).name === 'TimeoutError') return null
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  const send = async (key: string, request: RequestInit, accepted: readonly number[], bytes = 0): Promise<Response> => {
    const limitMs = (timeLimitMs - retryDelayMs) / 2 + (Math.max(0, bytes - chunkBytes) / slowestBytesPerSecond) * 1000
    let response = await attempt(key, request, limitMs)
    if (!response) {
      await sleep(retryDelayMs)
      response = await attempt(key, request, limitMs)
    }
    if (!response) {
      throw new AppError('unavailable', { retryAfterSeconds, message: 'File storage isn’t responding right now. Try again later.' })
    }
    if (accepted.includes(response.status)) return response
    const reason = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? 'no code'
    throw new Error(`the storage responded to ${request.method} with ${response.status} (${reason})`)
  }

  return {
    async put(key, bytes, contentType) {
      const headers = { 'content-type': contentType, 'content-length': String(bytes.length) }
      const response = await send(key, { method: 'PUT', body: bytes as Uint8Array<ArrayBuffer>, headers }, [200, 201, 204], bytes.length)
      await response.body?.cancel()
    },
    async putFile(key, file, contentType) {
      // Streams from disk, even for a retry.
      const body = await openAsBlob(file)
      const response = await send(key, { method: 'PUT', body, headers: { 'content-type': contentType } }, [200, 201, 204], body.size)
      await response.body?.cancel()
    },
    async get(key, range) {
      const headers = range ? { range: rangeHeader(range) } : {}
      const response = await send(key, { method: 'GET', headers }, [200, 206, 404, 416])
      if (response.status === 200 || response.status === 206) return toStored(response)
      await response.body?.cancel()
      if (response.status === 404) return null
      return { outOfRange: true, size: Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? 0) }
    },
    async delete(keys) {
      for (let at = 0; at < keys.length; at += deletesAtOnce) {
        await Promise.all(
          keys.slice(at, at + deletesAtOnce).map(async (key) => {
            const response = await send(key, { method: 'DELETE' }, [200, 202, 204, 404])
            await response.body?.cancel()
          }),
        )
      }
    },
  }
}

const rangeHeader = (range: ByteRange) => ('lastBytes' in range ? `bytes=-${range.lastBytes}` : `bytes=${range.first}-${range.last ?? ''}`)

function toStored(response: Response) {
  const body = response.body ? Readable.fromWeb(response.body as ReadableStream) : Readable.from([])
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? []
  if (response.status === 206) return { size: Number(size), first: Number(first), last: Number(last), body }
  const length = Number(response.headers.get('content-length'))
  return { size: length, first: 0, last: length - 1, body }
}
