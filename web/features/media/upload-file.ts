import type { Media, Upload } from '../../../contracts/media.ts'
import { ApiError } from '../../lib/api-error.ts'

/** The calls of an upload. `signal` ends them. */
export type UploadCalls = {
  begin: (signal: AbortSignal) => Promise<Upload>
  send: (id: string, offset: number, bytes: Blob, signal: AbortSignal) => Promise<Upload>
  look: (id: string, signal: AbortSignal) => Promise<Upload>
}

type UploadRun = {
  file: Blob
  /** An upload that was begun before and broken off. */
  uploadId: string | null
  calls: UploadCalls
  chunkBytes: number
  onBegun: (id: string) => void
  onProgress: (receivedBytes: number) => void
  onProcessing: () => void
  signal: AbortSignal
  /** Milliseconds; replaced in tests. Rejects when the signal comes. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** What the server says is wrong with the file: sending it again will not help. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile'
}

/** So many calls in a row may fail before the upload is given up; what has arrived is kept, and Retry goes on from there. */
const patience = 7
const firstPause = 500
const longestPause = 15_000
const firstLook = 300
const longestLook = 2500

/**
 * Sends a file in pieces and waits until it is ready to show. A piece that fails is sent again after a pause, from the byte that the
 * server says it needs next.
 * @throws RefusedFile, ApiError or TypeError (no connection); whatever the signal carries when it comes
 */
export async function uploadFile({ file, calls, signal, wait = pause, ...run }: UploadRun): Promise<Media> {
  // A refusal of the beginning is final; a conflict later says only that the bytes did not fit where the server stood.
  let upload = await withPatience(() => continued(run.uploadId, file.size, calls, signal), signal, wait, isTrouble)
  run.onBegun(upload.id)
  run.onProgress(upload.receivedBytes)

  upload = await sendPieces(upload, {
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

/** What says how much of a file has arrived: an upload, or a menu file. */
type Arriving = { id: string; status: string; receivedBytes: number }
type PiecesRun<T> = Pick<UploadRun, 'file' | 'chunkBytes' | 'onProgress' | 'signal' | 'wait'> & {
  send: (id: string, offset: number, bytes: Blob, signal: AbortSignal) => Promise<T>
  look: (id: string, signal: AbortSignal) => Promise<T>
}

/** Sends what is missing of a file that was begun, piece by piece, as `uploadFile` does. @returns the answer to the last piece */
export async function sendPieces<T extends Arriving>(begun: T, run: PiecesRun<T>): Promise<T> {
  const { file, send, look, chunkBytes, onProgress, signal, wait = pause } = run
  let current = begun
  while (current.status === 'receiving' && current.receivedBytes < file.size) {
    const { id, receivedBytes } = current
    let isUnsure = false
    current = await withPatience(
      async () => {
        // Whether the last piece has arrived is not known: an answer may have been lost on its way back.
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

/** Looks at a complete upload until it can be shown. @throws RefusedFile with the server's sentence */
export async function whenReady(upload: Upload, { look, onProcessing, signal, wait = pause }: Waiting): Promise<Media> {
  let current = upload
  if (current.status === 'processing') onProcessing()
  for (let interval = firstLook; current.status === 'processing'; interval = Math.min(longestLook, interval * 1.5)) {
    await wait(interval, signal)
    current = await withPatience(() => look(current.id, signal), signal, wait)
  }
  if (current.status === 'ready' && current.media) return current.media
  throw new RefusedFile(current.error ?? 'This file could not be read. Try another one.')
}

/** The upload that was broken off, if the server still has it and it is of this file; else a new one. */
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

/** Makes a call until it succeeds or has failed often enough. A refusal is final. */
async function withPatience<T>(
  make: () => Promise<T>,
  signal: AbortSignal,
  wait: NonNullable<UploadRun['wait']>,
  isPassing = isTroubleOrConflict,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      signal.throwIfAborted()
      return await make()
    } catch (error) {
      if (signal.aborted || !isPassing(error) || failures === patience) throw error
      const asked = error instanceof ApiError && error.retryAfterSeconds ? error.retryAfterSeconds * 1000 : 0
      await wait(Math.max(asked, Math.min(longestPause, firstPause * 2 ** (failures - 1))), signal)
    }
  }
}

/** No connection, or a server that is busy or starting anew. */
function isTrouble(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || [408, 425, 429].includes(error.status)
  return error instanceof TypeError
}

const isTroubleOrConflict = (error: unknown): boolean => isTrouble(error) || (error instanceof ApiError && error.status === 409)

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
