import { beginUpload, describeMedia, getUpload, removeUpload, uploadChunk } from '#contracts/calls/media.ts'
import type { Media, Upload } from '#contracts/media.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { call, callBytes } from '#web/lib/call.ts'
import { contentTypeOf } from './check-file.ts'

export type UploadCalls = {
  begin: (signal: AbortSignal) => Promise<Upload>
  send: (id: string, offset: number, bytes: Blob, signal: AbortSignal) => Promise<Upload>
  look: (id: string, signal: AbortSignal) => Promise<Upload>
}

type UploadRun = {
  file: Blob
  uploadId: string | null
  calls: UploadCalls
  chunkBytes: number
  onBegun: (id: string) => void
  onProgress: (receivedBytes: number) => void
  onProcessing: () => void
  signal: AbortSignal
  /** Waits for `ms` milliseconds, and rejects when aborted. Tests replace this function. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

export class RefusedFile extends Error {
  override readonly name = 'RefusedFile'
}

/** Gives up after this many consecutive failures. Retry resumes from what the server has received. */
const maxFailures = 7
const firstPause = 500
const maxPauseMs = 15_000
const firstLook = 300
const maxPollMs = 2500

/**
 * Failed chunks are retried after a pause, from the offset that the server expects. Resolves once the server has processed the file.
 * @throws RefusedFile, ApiError, TypeError (no connection), or the signal's reason
 */
export async function uploadFile({ file, calls, signal, wait = pause, ...run }: UploadRun): Promise<Media> {
  // A conflict in `begin` is final; a later one only means that the chunk's offset was wrong.
  let upload = await withRetries(() => continued(run.uploadId, file.size, calls, signal), signal, wait, isTransientError)
  run.onBegun(upload.id)
  run.onProgress(upload.receivedBytes)

  upload = await sendChunks(upload, {
    file,
    send: calls.send,
    look: calls.look,
    chunkBytes: run.chunkBytes,
    onProgress: run.onProgress,
    signal,
    wait,
  })
  return whenReady(upload, { look: calls.look, onProcessing: run.onProcessing, signal, wait })
}

type Arriving = { id: string; status: string; receivedBytes: number }
type ChunksRun<T> = Pick<UploadRun, 'file' | 'chunkBytes' | 'onProgress' | 'signal' | 'wait'> & {
  send: (id: string, offset: number, bytes: Blob, signal: AbortSignal) => Promise<T>
  look: (id: string, signal: AbortSignal) => Promise<T>
}

/** @returns the response to the last chunk */
export async function sendChunks<T extends Arriving>(begun: T, run: ChunksRun<T>): Promise<T> {
  const { file, send, look, chunkBytes, onProgress, signal, wait = pause } = run
  let current = begun
  while (current.status === 'receiving' && current.receivedBytes < file.size) {
    const { id, receivedBytes } = current
    let isUnsure = false
    current = await withRetries(
      async () => {
        // The response may have been lost, so check whether the last chunk arrived.
        const seen = isUnsure ? await look(id, signal) : null
        isUnsure = true
        if (seen && seen.status !== 'receiving') return seen
        const offset = seen ? seen.receivedBytes : receivedBytes
        return send(id, offset, file.slice(offset, offset + chunkBytes), signal)
      },
      signal,
      wait,
    )
    onProgress(current.receivedBytes)
  }
  return current
}

type Waiting = Pick<UploadCalls, 'look'> & Pick<UploadRun, 'onProcessing' | 'signal' | 'wait'>

/** @throws RefusedFile with the server's message */
export async function whenReady(upload: Upload, { look, onProcessing, signal, wait = pause }: Waiting): Promise<Media> {
  let current = upload
  if (current.status === 'processing') onProcessing()
  for (let interval = firstLook; current.status === 'processing'; interval = Math.min(maxPollMs, interval * 1.5)) {
    await wait(interval, signal)
    current = await withRetries(() => look(current.id, signal), signal, wait)
  }
  if (current.status === 'ready' && current.media) return current.media
  throw new RefusedFile(current.error ?? 'This file couldn’t be read. Try another one.')
}

/** Starts over if the server no longer has the interrupted upload, or if it failed or has another size. */
async function continued(uploadId: string | null, byteSize: number, calls: UploadCalls, signal: AbortSignal): Promise<Upload> {
  if (uploadId === null) return calls.begin(signal)
  try {
    const upload = await calls.look(uploadId, signal)
    return upload.byteSize === byteSize && upload.status !== 'failed' ? upload : await calls.begin(signal)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return calls.begin(signal)
    throw error
  }
}

/** Repeats a call that got no response or a temporary error and, by default, one that got a conflict. */
export async function withRetries<T>(
  make: () => Promise<T>,
  signal: AbortSignal,
  wait: NonNullable<UploadRun['wait']> = pause,
  isPassing = isTransientOrConflict,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      signal.throwIfAborted()
      return await make()
    } catch (error) {
      if (signal.aborted || !isPassing(error) || failures === maxFailures) throw error
      const asked = error instanceof ApiError && error.retryAfterSeconds ? error.retryAfterSeconds * 1000 : 0
      await wait(Math.max(asked, Math.min(maxPauseMs, firstPause * 2 ** (failures - 1))), signal)
    }
  }
}

export function isTransientError(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || [408, 425, 429].includes(error.status)
  return error instanceof TypeError
}

const isTransientOrConflict = (error: unknown): boolean => isTransientError(error) || (error instanceof ApiError && error.status === 409)

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      resolve()
    }, ms)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

export type MediaCalls = Omit<UploadCalls, 'begin'> & {
  /** @param key idempotency key per attempt, so a lost response doesn't start a second upload */
  begin: (file: File, alt: string, key: string, signal: AbortSignal) => Promise<Upload>
  describe: (id: string, alt: string) => Promise<unknown>
  remove: (id: string) => Promise<unknown>
}

export const mediaCalls: MediaCalls = {
  begin: (file, alt, key, signal) =>
    call(beginUpload, { body: { contentType: contentTypeOf(file), byteSize: file.size, alt } }, { idempotencyKey: key, signal }),
  send: (id, offset, bytes, signal) => callBytes(uploadChunk, { params: { id }, query: { offset } }, bytes, { signal }),
  look: (id, signal) => call(getUpload, { params: { id } }, { signal }),
  describe: (id, alt) => call(describeMedia, { params: { id }, body: { alt } }),
  remove: (id) => call(removeUpload, { params: { id } }),
}
