import { uuidv7 } from 'uuidv7'
import type { Call, InputOf } from '#contracts/endpoint.ts'
import { contentTypeOf } from '#web/entities/media/check-file.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { randomKey } from '#web/lib/random-key.ts'
import { toast } from '#web/ui/toast-store.ts'
import { StorageFull } from './offline-db.ts'
import { bodyOf, type QueuedItems, type QueuedPhoto, type StoredCall } from './outbox.ts'
import { requireOutbox, sendImmediately, sync } from './sync.ts'

export type EnqueueOptions = {
  /** The hunt's ID. Entries of a lane are sent in order. */
  lane: string
  /** `useOutbox({ subject })` finds the entry by these. The lane and the ID of the changed resource are always included. */
  subjects?: readonly string[]
  title: string
  /** Labels of body fields that people can see and edit after a refusal or conflict, in order: `{ heightCm: 'Height (cm)' }`. */
  labels?: Record<string, string>
  /**
   * Uploaded before the entry is sent. Their IDs are appended to `mediaIds` in its body, or to the field that `photosInto` names. A path
   * into the body (`observations.0.value.mediaId`) receives a single ID.
   */
  photos?: readonly File[]
  photosInto?: string
  /** Photos that the change removes, so that resolving a conflict keeps the others. */
  removedPhotos?: readonly string[]
  /** What to show for body fields whose values are IDs: `{ plantId: '#7' }`. */
  texts?: Record<string, string>
  /** Calls that read and change the resource, with `:id` in their paths. Without these, a conflict shows only the server's message. */
  thing?: { read: Call; change: Call }
  /** A list in the body whose refused items can be left out, so that the others can be sent. `labels` then label an item's fields. */
  items?: QueuedItems
  /** True if an earlier attempt to send the write got no response. */
  mayHaveArrived?: boolean
  /** Paths to refetch once the entry has arrived: `[listGrowLogs.path]` includes all paths below it. */
  refreshes?: readonly string[]
  /** True if people make many such writes in a row and screens show them until `refreshes` are refetched, which then waits for a pause. */
  inSeries?: boolean
}

/**
 * Stores a write on the device and sends it as soon as the server can be reached, in this visit or a later one. Once this resolves, the
 * write is stored, online or not. New resources have an `id` from `uuidv7()` in their body. A change has the `version` that it is based on,
 * which doesn't change while an earlier change of the resource is pending. Without storage on the device, sends immediately instead.
 * @returns the entry's ID, which is also the ID of a new resource
 * @throws an Error with a message for display (StorageFull, or the server's refusal) if the write could neither be stored nor sent
 */
export async function enqueue<C extends Call>(endpoint: C, input: InputOf<C>, options: EnqueueOptions): Promise<string> {
  const plain = structuredClone(input) as { params?: { id?: string }; query?: unknown; body?: unknown }
  const made = bodyOf({ input: plain }).id
  const id = typeof made === 'string' ? made : uuidv7()
  const thingId = typeof made === 'string' ? made : plain.params?.id
  const photos = (options.photos ?? []).map((file): [QueuedPhoto, File] => [
    { key: randomKey(), name: file.name, type: contentTypeOf(file), size: file.size, alt: '', uploadId: null },
    file,
  ])
  const write = {
    id,
    call: storedCall(endpoint),
    input: plain,
    lane: options.lane,
    subjects: [options.lane, ...(thingId ? [thingId] : []), ...(options.subjects ?? [])],
    title: options.title,
    labels: options.labels ?? {},
    photos: photos.map(([photo]) => photo),
    photosInto: options.photosInto ?? 'mediaIds',
    removedPhotos: options.removedPhotos,
    texts: options.texts,
    thing:
      options.thing && thingId ? { id: thingId, read: storedCall(options.thing.read), change: storedCall(options.thing.change) } : null,
    items: options.items,
    refreshes: options.refreshes ?? [],
    inSeries: options.inSeries,
    createdAt: Date.now(),
    mayHaveArrived: options.mayHaveArrived,
    hold: null,
    failures: 0,
    retryAt: 0,
  }
  const files = new Map(photos.map(([{ key }, file]) => [key, file]))
  const outbox = requireOutbox()
  void requestPersistentStorage().catch(() => undefined)
  try {
    await outbox.add(write, files)
  } catch (error) {
    const notStored =
      error instanceof StorageFull
        ? error
        : new Error(
            'This browser can’t store entries, and the server can’t be reached. Nothing was saved. Check your connection and try again.',
          )
    await sendImmediately({ ...write, account: outbox.account, seq: 0 }, files, notStored)
    return id
  }
  void sync()
  return id
}

const storedCall = ({ method, path }: Call): StoredCall => ({ method, path })

/** Browsers may grant persistent storage silently, show a prompt, or ignore the request. */
async function requestPersistentStorage(): Promise<void> {
  const { storage } = navigator as { storage?: StorageManager }
  if (storage?.persist && !(await storage.persisted())) await storage.persist()
}

/** For a call that is queued if there is no connection. The messages of `enqueue`'s errors are for display. */
export const unsavedMessage = (error: unknown): string => messageOf(error, error instanceof Error ? error.message : undefined)

export function toastUnsaved(title: string, error: unknown): void {
  toast({ title, description: error instanceof Error ? error.message : 'Please try again.', variant: 'destructive' })
}
