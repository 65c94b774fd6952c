import type { Media, Upload } from '#contracts/media.ts'
import { ApiError } from '#web/lib/api-error.ts'

export type UploadCalls = {
  begin: (signal: AbortSignal) => Promise<Upload>
  send: (id: string, offset: number, bytes: Blob, signal: AbortSignal) => Promise<Upload>
  look: (id: string, signal: AbortSignal) => Promise<Upload>
}

type UploadRun = {
  file: Blob
  /** ID of an interrupted upload to resume. */
  uploadId: string | null
  calls: UploadCalls
  chunkBytes: number
  onBegun: (id: string) => void
  onProgress: (receivedBytes: number) => void
  onProcessing: () => void
  signal: AbortSignal
  /** In milliseconds; injectable for tests. Rejects when aborted. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** The server rejected the file, so a retry won't help. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile'
}

/** Consecutive failures before giving up. Received bytes are kept, and Retry resumes from there. */
const patience = 7
const firstPause = 500
const maxPauseMs = 15_000
const firstLook = 300
const maxPollMs = 2500

/**
 * Sends a file in chunks and waits until it has been processed. Failed chunks are retried after a pause, from the offset the server
 * expects.
 * @throws RefusedFile, ApiError, TypeError (no connection), or the signal's reason
 */
export async function uploadFile({ file, calls, signal, wait = pause, ...run }: UploadRun): Promise<Media> {
  // A rejected begin is final; a later conflict only means that the chunk's offset was wrong.
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

type Arriving = { id: string; status: string; receivedBytes: number }
type PiecesRun<T> = Pick<UploadRun, 'file' | 'chunkBytes' | 'onProgress' | 'signal' | 'wait'> & {
  send: (id: string, offset: number, bytes: Blob, signal: AbortSignal) => Promise<T>
  look: (id: string, signal: AbortSignal) => Promise<T>
}

/** Sends the remaining chunks of a file, as `uploadFile` does. @returns the response to the last chunk */
export async function sendPieces<T extends Arriving>(begun: T, run: PiecesRun<T>): Promise<T> {
  const { file, send, look, chunkBytes, onProgress, signal, wait = pause } = run
  let current = begun
  while (current.status === 'receiving' && current.receivedBytes < file.size) {
    const { id, receivedBytes } = current
    let isUnsure = false
    current = await withPatience(
      async () => {
        // The response may have been lost, so ask whether the last chunk arrived.
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

/** Polls a complete upload until it has been processed. @throws RefusedFile with the server's message */
export async function whenReady(upload: Upload, { look, onProcessing, signal, wait = pause }: Waiting): Promise<Media> {
  let current = upload
  if (current.status === 'processing') onProcessing()
  for (let interval = firstLook; current.status === 'processing'; interval = Math.min(maxPollMs, interval * 1.5)) {
    await wait(interval, signal)
    current = await withPatience(() => look(current.id, signal), signal, wait)
  }
  if (current.status === 'ready' && current.media) return current.media
  throw new RefusedFile(current.error ?? 'This file couldn’t be read. Try another one.')
}

/** Resumes an interrupted upload if the server still has it and its size matches; otherwise starts a new one. */
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
      await wait(Math.max(asked, Math.min(maxPauseMs, firstPause * 2 ** (failures - 1))), signal)
    }
  }
}

/** No connection, or a busy or restarting server. */
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
