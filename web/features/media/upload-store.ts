import type { Media } from '../../../contracts/media.ts'
import { ApiError, messageOf } from '../../lib/api-error.ts'
import { randomKey } from '../../lib/random-key.ts'
import { forget, recall, remember } from '../accounts/tab-memory.ts'
import { fileProblem, kindOf } from './check-file.ts'
import type { MediaCalls } from './media.api.ts'
import { RefusedFile, uploadFile, whenReady } from './upload-file.ts'
import {
  attachedUpload,
  changeUpload,
  isUnderWay,
  keptUploads,
  maxUploads,
  moveUpload,
  newUpload,
  restoredUploads,
  type UploadItem,
} from './upload-list.ts'

/** So many files are sent at the same time; the others wait for their turn. */
const lanes = 2

export type UploadState = { items: readonly UploadItem[]; notice: string | null }
export type Uploads = ReturnType<typeof createUploads>

type UploadsOptions = {
  /** The name under which the tab remembers the list. */
  subject: string
  /** What the post has already. */
  attached?: readonly Media[]
  calls: MediaCalls
  chunkBytes: number
}

/** The pictures and videos of one form, on their way. Outside React, so that sending does not depend on what is shown. */
export function createUploads({ subject, attached = [], calls, chunkBytes }: UploadsOptions) {
  const memory = `uploads.${subject}`
  let state: UploadState = { items: restoredUploads(recall(memory)) ?? attached.map(attachedUpload), notice: null }
  const files = new Map<string, File>()
  const running = new Map<string, AbortController>()
  const described = new Map(attached.map(({ id, alt }) => [id, alt]))
  const listeners = new Set<() => void>()
  let isClosed = true

  function set(next: Partial<UploadState>) {
    if (isClosed) return
    state = { ...state, ...next }
    remember(memory, keptUploads(state.items))
    for (const listener of listeners) listener()
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
      if (!controller.signal.aborted) change(key, { status: 'failed', error: sentenceOf(error), canRetry: isWorthRetrying(error) })
    } finally {
      if (running.get(key) === controller) running.delete(key)
      if (!isClosed) startWaiting()
    }
  }

  function send(key: string, file: File, signal: AbortSignal): Promise<Media> {
    const alt = find(key)?.alt ?? ''
    // Of this attempt: a later one may carry another description, and a key belongs to one body.
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

  /** After a reload: how far the server has come with it. */
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
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    get: () => state,
    /** Begins, or goes on: nothing is sent before this. */
    open() {
      isClosed = false
      for (const { key, uploadId, status } of state.items) {
        if (status === 'sending') change(key, { status: 'waiting' })
        if (status === 'processing' && uploadId && !running.has(key)) void run(key, (signal) => lookAgain(key, uploadId, signal))
      }
      startWaiting()
    },
    /** Takes files in, as many as there is room for; one that cannot be taken stands in the list and says why. */
    add(chosen: readonly File[]) {
      const room = maxUploads - state.items.length
      const items = chosen.slice(0, room).map((file) => {
        const item = newUpload({ key: randomKey(), kind: kindOf(file), name: file.name, size: file.size })
        const error = fileProblem(file)
        if (error === null) files.set(item.key, file)
        return error === null ? item : { ...item, status: 'failed' as const, error }
      })
      set({ items: [...state.items, ...items], notice: chosen.length > room ? 'At most 10 pictures and videos' : null })
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
    /** The file of a `lost` upload, chosen again: it goes on where it was. */
    resume(key: string, file: File) {
      const item = find(key)
      if (!item) return
      if (file.size !== item.size) return change(key, { error: `This is another file. Choose “${item.name}” again.` })
      files.set(key, file)
      change(key, { status: 'waiting', error: null })
      startWaiting()
    },
    move: (key: string, to: number) => set({ items: moveUpload(state.items, key, to) }),
    setAlt: (key: string, alt: string) => change(key, { alt }),
    /** Tells the server what a picture shows. What fails is told again by `settle`. */
    saveAlt: (key: string) => void describe(key).catch(() => undefined),
    /** Takes one out, and gives its upload up unless a post shows it. */
    remove(key: string) {
      const item = find(key)
      running.get(key)?.abort()
      files.delete(key)
      set({ items: state.items.filter((each) => each.key !== key), notice: null })
      if (item?.uploadId && !item.isAttached) void calls.remove(item.uploadId).catch(() => undefined)
    },
    /**
     * Waits until nothing is under way.
     * @returns the ids in their order; null when one of them has failed
     * @throws as `call` does when a description could not be saved
     */
    async settle(): Promise<string[] | null> {
      while (state.items.some(isUnderWay)) {
        await new Promise<void>((resolve) => {
          const stop = () => {
            listeners.delete(stop)
            resolve()
          }
          listeners.add(stop)
        })
      }
      if (!state.items.every(({ status }) => status === 'ready')) return null
      await Promise.all(state.items.map(({ key }) => describe(key)))
      return state.items.flatMap(({ media }) => media?.id ?? [])
    },
    /** The post has them now: nothing is remembered, and nothing is given up. */
    finish() {
      isClosed = true
      forget(memory)
    },
    /** The form is left: what is being sent stops, and can go on when it is opened again. */
    close() {
      isClosed = true
      for (const controller of running.values()) controller.abort()
      running.clear()
    },
  }
}

const sentenceOf = (error: unknown): string => (error instanceof RefusedFile ? error.message : messageOf(error))

/** The server's refusal of a file is final; everything else may have passed. */
function isWorthRetrying(error: unknown): boolean {
  if (error instanceof RefusedFile) return false
  return !(error instanceof ApiError) || error.status >= 500 || [401, 408, 409, 429].includes(error.status)
}
