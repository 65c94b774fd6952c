import type { Media } from '#contracts/media.ts'
import { getTabItem, removeTabItem, setTabItem } from '#web/forms/tab-memory.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { randomKey } from '#web/lib/random-key.ts'
import { createListeners } from '#web/lib/store.ts'
import { type FileKind, fileProblem, kindOf } from './check-file.ts'
import { type MediaCalls, RefusedFile, uploadFile, whenReady } from './upload-file.ts'

const lanes = 2

export type UploadState = { items: readonly UploadItem[]; notice: string | null }
export type Uploads = ReturnType<typeof createUploads>

type UploadsOptions = {
  subject: string
  attached?: readonly Media[]
  calls: MediaCalls
  chunkBytes: number
  limit?: UploadLimit
}

/** Outside React, so sending doesn't depend on rendering. */
export function createUploads({ subject, attached = [], calls, chunkBytes, limit = postLimit }: UploadsOptions) {
  const memory = `uploads.${subject}`
  let state: UploadState = { items: restoredUploads(getTabItem(memory)) ?? attached.map(attachedUpload), notice: null }
  const files = new Map<string, File>()
  const running = new Map<string, AbortController>()
  const described = new Map(attached.map(({ id, alt }) => [id, alt]))
  const { notify, subscribe } = createListeners()
  let isClosed = true

  function set(next: Partial<UploadState>) {
    if (isClosed) return
    state = { ...state, ...next }
    setTabItem(memory, storableUploads(state.items))
    notify()
  }
  const change = (key: string, changes: Partial<UploadItem>) => set({ items: changeUpload(state.items, key, changes) })
  const find = (key: string) => state.items.find((item) => item.key === key)

  function startWaiting() {
    for (const { key, status } of state.items) {
      if (running.size >= lanes) return
      const file = files.get(key)
      if (status === 'waiting' && file && !running.has(key)) void run(key, (signal) => send(key, file, signal))
    }
  }

  async function run(key: string, work: (signal: AbortSignal) => Promise<Media | null>) {
    const controller = new AbortController()
    running.set(key, controller)
    try {
      const media = await work(controller.signal)
      if (media && !controller.signal.aborted) change(key, { status: 'ready', media, error: null, uploadId: media.id })
    } catch (error) {
      if (!controller.signal.aborted) change(key, { status: 'failed', error: sentenceOf(error), canRetry: isRetryable(error) })
    } finally {
      if (running.get(key) === controller) running.delete(key)
      if (!isClosed) startWaiting()
    }
  }

  function send(key: string, file: File, signal: AbortSignal): Promise<Media> {
    const alt = find(key)?.alt ?? ''
    // One key per attempt, because an idempotency key belongs to one body, and a later attempt may have another description.
    const attempt = randomKey()
    change(key, { status: 'sending', error: null })
    return uploadFile({
      file,
      uploadId: find(key)?.uploadId ?? null,
      calls: {
        ...calls,
        begin: async (begun) => {
          const upload = await calls.begin(file, alt, attempt, begun)
          described.set(upload.id, alt)
          return upload
        },
      },
      chunkBytes,
      onBegun: (uploadId) => change(key, { uploadId }),
      onProgress: (receivedBytes) => change(key, { receivedBytes }),
      onProcessing: () => change(key, { status: 'processing' }),
      signal,
    })
  }

  /** Continues from the server's state, after a reload or a retry. */
  async function lookAgain(key: string, uploadId: string, signal: AbortSignal): Promise<Media | null> {
    try {
      const upload = await calls.look(uploadId, signal)
      if (upload.status === 'receiving') {
        change(key, { status: 'lost', receivedBytes: upload.receivedBytes })
        return null
      }
      return await whenReady(upload, { look: calls.look, onProcessing: () => {}, signal })
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error
      set({ items: state.items.filter((item) => item.key !== key) })
      return null
    }
  }
  async function describe(key: string) {
    const item = find(key)
    if (!item?.uploadId || item.status === 'failed' || described.get(item.uploadId) === item.alt) return
    await calls.describe(item.uploadId, item.alt)
    described.set(item.uploadId, item.alt)
  }

  return {
    subscribe,
    get: () => state,
    open() {
      isClosed = false
      for (const { key, uploadId, status } of state.items) {
        if (status === 'sending' && !running.has(key)) change(key, { status: 'waiting' })
        if (status === 'processing' && uploadId && !running.has(key)) void run(key, (signal) => lookAgain(key, uploadId, signal))
      }
      startWaiting()
    },
    /** Adds files up to the limit. Rejected files remain in the list with a reason. */
    add(chosen: readonly File[], problemOf: typeof fileProblem = fileProblem) {
      const items = [...state.items]
      const kinds = items.map(({ kind }) => kind)
      let notice: string | null = null
      for (const file of chosen) {
        const kind = kindOf(file)
        if (!limit.fits([...kinds, kind])) {
          notice = limit.notice
          continue
        }
        kinds.push(kind)
        const item = newUpload({ key: randomKey(), kind, name: file.name, size: file.size })
        const error = problemOf(file)
        if (error === null) files.set(item.key, file)
        items.push(error === null ? item : { ...item, status: 'failed' as const, error })
      }
      set({ items, notice })
      startWaiting()
    },
    fileOf: (key: string): File | null => files.get(key) ?? null,
    retry(key: string) {
      const item = find(key)
      if (!item) return
      if (files.has(key)) {
        change(key, { status: 'waiting', error: null })
        startWaiting()
      } else if (item.uploadId) {
        const { uploadId } = item
        change(key, { status: 'processing', error: null })
        void run(key, (signal) => lookAgain(key, uploadId, signal))
      }
    },
    resume(key: string, file: File) {
      const item = find(key)
      if (!item) return
      if (file.size !== item.size) return change(key, { error: `This is a different file. Choose “${item.name}” again.` })
      files.set(key, file)
      change(key, { status: 'waiting', error: null })
      startWaiting()
    },
    move: (key: string, to: number) => set({ items: moveUpload(state.items, key, to) }),
    setAlt: (key: string, alt: string) => change(key, { alt }),
    saveAlt: (key: string) => void describe(key).catch(() => undefined),
    /** Also deletes the upload on the server, unless it was already attached when the form opened. */
    remove(key: string) {
      const item = find(key)
      running.get(key)?.abort()
      files.delete(key)
      set({ items: state.items.filter((each) => each.key !== key), notice: null })
      if (item?.uploadId && !item.isAttached) void calls.remove(item.uploadId).catch(() => undefined)
    },
    putBack(item: UploadItem, index: number) {
      if (!find(item.key)) set({ items: state.items.toSpliced(index, 0, item), notice: null })
    },
    /**
     * Waits for all uploads.
     * @returns IDs in order; null if any failed or was interrupted
     * @throws like `call` if a description couldn't be saved
     */
    async settle(): Promise<string[] | null> {
      while (state.items.some(isUnderWay)) {
        await new Promise<void>((resolve) => {
          const stop = subscribe(() => {
            stop()
            resolve()
          })
        })
      }
      if (!state.items.every(({ status }) => status === 'ready')) return null
      await Promise.all(state.items.map(({ key }) => describe(key)))
      return state.items.flatMap(({ media }) => media?.id ?? [])
    },
    finish() {
      isClosed = true
      removeTabItem(memory)
    },
    /** Stops uploads, which resume when the form opens again. */
    close() {
      isClosed = true
      for (const controller of running.values()) controller.abort()
      running.clear()
    },
  }
}

const sentenceOf = (error: unknown): string => (error instanceof RefusedFile ? error.message : messageOf(error))

/** False for rejected files and for client errors that would recur. */
function isRetryable(error: unknown): boolean {
  if (error instanceof RefusedFile) return false
  return !(error instanceof ApiError) || error.status >= 500 || [401, 408, 409, 429].includes(error.status)
}

/**
 * - `waiting`: queued
 * - `lost`: a reload interrupted the upload, and the person has to select the file again
 */
type UploadStatus = 'waiting' | 'sending' | 'processing' | 'ready' | 'failed' | 'lost'

export type UploadItem = {
  /** Doesn't change when the upload receives its ID. */
  key: string
  /** Null before the server's first response. */
  uploadId: string | null
  kind: FileKind
  name: string
  size: number
  alt: string
  status: UploadStatus
  receivedBytes: number
  error: string | null
  canRetry: boolean
  media: Media | null
  /** The edited post, review or page already has the file, so removing it from the form must not delete it. */
  isAttached: boolean
}

export type UploadLimit = {
  /** `kinds` has the kind of every file that the list would contain. */
  fits: (kinds: readonly FileKind[]) => boolean
  notice: string
}

export const postLimit: UploadLimit = { fits: (kinds) => kinds.length <= 10, notice: 'At most 10 pictures and videos' }

export const newUpload = (item: Pick<UploadItem, 'key' | 'kind' | 'name' | 'size'>): UploadItem => ({
  ...item,
  uploadId: null,
  alt: '',
  status: 'waiting',
  receivedBytes: 0,
  error: null,
  canRetry: false,
  media: null,
  isAttached: false,
})

const attachedUpload = (media: Media): UploadItem => ({
  // Only photos and videos can be attached.
  ...newUpload({ key: media.id, kind: media.kind === 'video' ? 'video' : 'image', name: '', size: 0 }),
  uploadId: media.id,
  alt: media.alt,
  status: 'ready',
  media,
  isAttached: true,
})

const changeUpload = (items: readonly UploadItem[], key: string, changes: Partial<UploadItem>): UploadItem[] =>
  items.map((item) => (item.key === key ? { ...item, ...changes } : item))

export function moveUpload(items: readonly UploadItem[], key: string, to: number): UploadItem[] {
  const item = items.find((each) => each.key === key)
  if (!item) return [...items]
  const others = items.filter((each) => each !== item)
  return others.toSpliced(Math.min(others.length, Math.max(0, to)), 0, item)
}

const isUnderWay = ({ status }: UploadItem): boolean => status === 'waiting' || status === 'sending' || status === 'processing'

/** In percent; 100 while processing. */
export function percentOf({ status, receivedBytes, size }: UploadItem): number {
  if (status === 'processing' || status === 'ready') return 100
  return size === 0 ? 0 : Math.min(100, Math.floor((receivedBytes / size) * 100))
}

/** Stored per tab, so that a reloaded form finds its uploads again. */
type StoredUpload = Pick<UploadItem, 'key' | 'kind' | 'name' | 'size' | 'alt' | 'isAttached'> & {
  uploadId: string
  media: Media | null
}

export const storableUploads = (items: readonly UploadItem[]): StoredUpload[] =>
  items.flatMap(({ key, uploadId, kind, name, size, alt, isAttached, media }) =>
    uploadId === null ? [] : [{ key, uploadId, kind, name, size, alt, isAttached, media: isAttached ? media : null }],
  )

export function restoredUploads(stored: unknown): UploadItem[] | null {
  if (!Array.isArray(stored)) return null
  return stored.filter(isStored).map(({ media, ...item }) =>
    item.isAttached && media
      ? { ...attachedUpload(media), ...item }
      : // `open` fetches the progress from the server.
        { ...newUpload(item), ...item, isAttached: false, status: 'processing', receivedBytes: 0 },
  )
}

function isStored(value: unknown): value is StoredUpload {
  const item = value as Partial<StoredUpload> | null
  return (
    typeof item === 'object' &&
    typeof item?.key === 'string' &&
    typeof item.uploadId === 'string' &&
    typeof item.name === 'string' &&
    typeof item.alt === 'string' &&
    typeof item.size === 'number' &&
    (item.kind === 'image' || item.kind === 'video')
  )
}
