import { uuidv7 } from 'uuidv7'
import type { Call, InputOf } from '#contracts/endpoint.ts'
import { contentTypeOf } from '#web/entities/media/check-file.ts'
import { randomKey } from '#web/lib/random-key.ts'
import { toast } from '#web/ui/toast-store.ts'
import { StorageFull } from './offline-db.ts'
import { bodyOf, type QueuedPhoto, type StoredCall } from './outbox.ts'
import { requireOutbox, sendAtOnce, sync } from './sync.ts'

export type EnqueueOptions = {
  /** ID of the hunt. Entries of a lane are sent in order. */
  lane: string
  /** IDs to find the entry by: `useOutbox({ subject })`. Always includes the lane and the ID of the changed resource. */
  subjects?: readonly string[]
  /** For display: "Log of #7, week 4". */
  title: string
  /** Body fields shown and editable on a refusal or conflict, in order: `{ heightCm: 'Height (cm)' }`. */
  labels?: Record<string, string>
  /**
   * Uploaded before the entry is sent. Their IDs are appended to `mediaIds` of its body or to the field named here; a path into the body
   * (`observations.0.value.mediaId`) receives the only ID.
   */
  photos?: readonly File[]
  photosInto?: string
  /** Calls that read and change the resource, with `:id`. Without them, a conflict shows only the server's message. */
  thing?: { read: Call; change: Call }
  /** Paths to refetch once the entry has arrived: `[listGrowLogs.path]` includes all paths below it. */
  refreshes?: readonly string[]
}

/**
 * Stores a write on the device and sends it as soon as the server is reachable, in this visit or a later one. It is stored when this
 * resolves, online or not. New resources have an `id` from `uuidv7()` in their body; a change has the `version` it is based on, which stays
 * the same while an earlier change of the resource is pending. If the device has no storage, sends immediately instead.
 * @returns the entry's ID, which is also the ID of a new resource
 * @throws an Error with a message for display (StorageFull, or the server's refusal) if it could neither be stored nor sent
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
    thing:
      options.thing && thingId ? { id: thingId, read: storedCall(options.thing.read), change: storedCall(options.thing.change) } : null,
    refreshes: options.refreshes ?? [],
    createdAt: Date.now(),
    hold: null,
    failures: 0,
    retryAt: 0,
  }
  const files = new Map(photos.map(([{ key }, file]) => [key, file]))
  const outbox = requireOutbox()
  void askToStay().catch(() => undefined)
  try {
    await outbox.add(write, files)
  } catch (error) {
    const notStored =
      error instanceof StorageFull
        ? error
        : new Error('This browser can’t store entries, and the server can’t be reached. Nothing was saved.')
    await sendAtOnce({ ...write, account: outbox.account, seq: 0 }, files, notStored)
    return id
  }
  void sync()
  return id
}

const storedCall = ({ method, path }: Call): StoredCall => ({ method, path })

/** Requests persistent storage. Browsers grant it silently, prompt, or ignore the request. */
async function askToStay(): Promise<void> {
  const { storage } = navigator as { storage?: StorageManager }
  if (storage?.persist && !(await storage.persisted())) await storage.persist()
}

/** Shows why a write could neither be stored nor sent. */
export function toastUnsaved(title: string, error: unknown): void {
  toast({ title, description: error instanceof Error ? error.message : 'Please try again.', variant: 'destructive' })
}
