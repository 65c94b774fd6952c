import type { QueryClient } from '@tanstack/react-query'
import type { AwaitedPhoto } from '#contracts/archive-photos.endpoints.ts'
import { listAwaitedPhotos, restorePhoto } from '#contracts/calls/archive-photos.ts'
import { listGrowLogs } from '#contracts/calls/grow-logs.ts'
import { maxArchiveBytes } from '#contracts/limits.ts'
import { maxImageBytes, uploadChunkBytes } from '#contracts/media.rules.ts'
import { refreshHunts } from '#web/entities/hunts/hunts.api.ts'
import { isTransientError, mediaCalls, RefusedFile, uploadFile, withRetries } from '#web/entities/media/upload-file.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call, callPage, everyPage, refreshCalls } from '#web/lib/call.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { randomKey } from '#web/lib/random-key.ts'
import { openZip, type ZipEntry, ZipProblem } from '#web/lib/read-zip.ts'
import { createStore, useStore } from '#web/lib/store.ts'
import { toast } from '#web/ui/toast-store.ts'

export type Archive = {
  readDocument(): Promise<Blob>
  photo(file: string): ZipEntry | undefined
}

const documentName = 'hunt.json'

/** @throws ZipProblem if the file isn't a complete ZIP with a hunt in it */
export async function openArchive(file: Blob): Promise<Archive> {
  const entries = await openZip(file)
  // Someone may have repacked it with a folder around it.
  const [path] = [...entries.keys()]
    .filter((name) => name === documentName || name.endsWith(`/${documentName}`))
    .sort((a, b) => a.length - b.length)
  const document = entries.get(path ?? '')
  if (!document) throw new ZipProblem('This ZIP file doesn’t contain a hunt. Choose one you exported with “Export with photos”.')
  const folder = document.name.slice(0, -documentName.length)
  return { readDocument: () => document.read(maxArchiveBytes), photo: (name) => entries.get(folder + name) }
}

export type RestoreCalls = {
  upload: (photo: File, signal: AbortSignal) => Promise<{ id: string }>
  attach: (photoId: string, mediaId: string, signal: AbortSignal) => Promise<void>
}

export type LeftPhoto = { file: string; reason: string }

type Run = {
  awaited: readonly AwaitedPhoto[]
  archive: Archive
  calls: RestoreCalls
  signal: AbortSignal
  onProgress: (restored: number, left: readonly LeftPhoto[]) => void
}

/** Photos sent in parallel. The server processes only a few simultaneously, and limits a person's unfinished uploads. */
const lanes = 3

/**
 * Skips a photo that is missing, damaged or refused; any other error stops the run. Running this again continues with the photos still
 * awaited.
 * @throws ApiError, TypeError (no connection), or the signal's reason
 */
export async function restorePhotos({ awaited, archive, calls, signal, onProgress }: Run): Promise<void> {
  const queue = [...awaited]
  const left: LeftPhoto[] = []
  let restored = 0
  async function lane() {
    for (let photo = queue.shift(); photo; photo = queue.shift()) {
      try {
        signal.throwIfAborted()
        await restoreOne(photo, { archive, calls, signal })
        restored++
      } catch (error) {
        const reason = signal.aborted ? null : skipReason(error)
        if (reason === null) {
          queue.length = 0
          throw error
        }
        left.push({ file: photo.file, reason })
      }
      onProgress(restored, left)
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane))
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}

async function restoreOne(
  { id, file }: AwaitedPhoto,
  { archive, calls, signal }: Pick<Run, 'archive' | 'calls' | 'signal'>,
): Promise<void> {
  const entry = archive.photo(file)
  if (!entry) throw new SkippedPhotoError('Not in this archive.')
  const content = await entry.read(maxImageBytes)
  const media = await calls.upload(new File([content], file), signal)
  try {
    await calls.attach(id, media.id, signal)
  } catch (error) {
    if (error instanceof ApiError && [400, 404, 409].includes(error.status)) throw new SkippedPhotoError(messageOf(error))
    throw error
  }
}

/** Only this photo can't be restored. */
class SkippedPhotoError extends Error {}

/** A sentence if the error concerns one photo; null if it concerns all of them. */
function skipReason(error: unknown): string | null {
  if (error instanceof SkippedPhotoError || error instanceof ZipProblem || error instanceof RefusedFile) return error.message
  return error instanceof ApiError && [400, 413, 415].includes(error.status) ? messageOf(error) : null
}

const restoreCalls: RestoreCalls = {
  upload(photo, signal) {
    const key = randomKey()
    return uploadFile({
      file: photo,
      uploadId: null,
      calls: { ...mediaCalls, begin: (begun) => mediaCalls.begin(photo, '', key, begun) },
      chunkBytes: uploadChunkBytes,
      onBegun: () => {},
      onProgress: () => {},
      onProcessing: () => {},
      signal,
    })
  },
  attach: (id, mediaId, signal) =>
    withRetries(() => call(restorePhoto, { params: { id }, body: { mediaId } }, { signal }), signal, undefined, isTransientError),
}

const listAwaited = (huntId: string, signal: AbortSignal): Promise<AwaitedPhoto[]> =>
  everyPage((next) =>
    withRetries(
      () => callPage(listAwaitedPhotos, { params: { id: huntId }, query: { limit: 100 } }, next, { signal }),
      signal,
      undefined,
      isTransientError,
    ),
  )

export type Restoring = {
  status: 'running' | 'paused' | 'over'
  total: number
  restored: number
  left: readonly LeftPhoto[]
  problem: string | null
  archive: Archive
}

/** Stored by hunt, outside React, because restoring continues while other screens are open. */
const restorings = createStore<ReadonlyMap<string, Restoring>>(new Map())
const stops = new Map<string, AbortController>()

export const useRestoring = (huntId: string): Restoring | undefined => useStore(restorings).get(huntId)

function set(huntId: string, change: Partial<Restoring>): void {
  const before = restorings.get().get(huntId)
  if (before) restorings.set(new Map(restorings.get()).set(huntId, { ...before, ...change }))
}

/** Runs in the background, and continues an earlier run. Shows a toast when it's done. */
export async function startRestoring(client: QueryClient, huntId: string, archive: Archive): Promise<void> {
  stops.get(huntId)?.abort()
  const stop = new AbortController()
  stops.set(huntId, stop)
  const begun: Restoring = { status: 'running', total: 0, restored: 0, left: [], problem: null, archive }
  restorings.set(new Map(restorings.get()).set(huntId, begun))
  window.addEventListener('beforeunload', askToStay)
  const refresh = () => Promise.all([refreshHunts(client), refreshCalls(client, [listGrowLogs])])
  try {
    const awaited = await listAwaited(huntId, stop.signal)
    set(huntId, { total: awaited.length })
    await restorePhotos({
      awaited,
      archive,
      calls: restoreCalls,
      signal: stop.signal,
      onProgress: (restored, left) => set(huntId, { restored, left: [...left] }),
    })
    // If the status changed first, the screen would briefly show the old number of missing photos.
    await refresh()
    set(huntId, { status: 'over' })
    toast({ title: overWords(awaited.length, restorings.get().get(huntId)?.left.length ?? 0) })
  } catch (error) {
    const problem = stop.signal.aborted ? null : messageOf(error, 'The archive can’t be read anymore. Choose it again.')
    if (stops.get(huntId) === stop) set(huntId, { status: 'paused', problem })
    await refresh()
  } finally {
    if (stops.get(huntId) === stop) stops.delete(huntId)
    if (stops.size === 0) window.removeEventListener('beforeunload', askToStay)
  }
}

const overWords = (total: number, left: number): string =>
  left === 0 ? `${counted(total, 'photo')} restored` : `${formatNumber(total - left)} of ${counted(total, 'photo')} restored`

export const pauseRestoring = (huntId: string): void => stops.get(huntId)?.abort()

const askToStay = (event: BeforeUnloadEvent): void => event.preventDefault()
