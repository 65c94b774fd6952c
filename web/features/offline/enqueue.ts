import type { Endpoint, InputOf } from '../../../contracts/endpoint.ts'
import { randomKey } from '../../lib/random-key.ts'
import { contentTypeOf } from '../media/check-file.ts'
import { newId } from './ids.ts'
import { StorageFull } from './outbox-db.ts'
import { bodyOf, type KeptCall, type QueuedPhoto } from './queued-write.ts'
import { requireOutbox, sendAtOnce, sync } from './sync.ts'

export type EnqueueOptions = {
  /** The hunt: its entries are sent in the order in which they were written. */
  lane: string
  /** Ids of what it is about, by which screens find what waits: `useOutbox({ subject })`. The lane and the id of the thing are among them. */
  subjects?: readonly string[]
  /** What it is, for its writer: "Log of #7, week 4". */
  title: string
  /** The body's fields that a person may read and correct when it is refused or in conflict, in their order: `{ heightCm: 'Height (cm)' }`. */
  labels?: Record<string, string>
  /** Sent before the entry; `mediaIds` of its body, or the field named here, gets their ids after those that are in it; a place inside of the body (`observations.0.value.mediaId`) gets the one. */
  photos?: readonly File[]
  photosInto?: string
  /** The calls by which the thing is read and changed, with `:id`: without them a conflict has the server's sentence alone. */
  thing?: { read: Endpoint; change: Endpoint }
  /** Paths of calls that are read anew once it has arrived: `[listGrowLogs.path]` stands for all under it. */
  refreshes?: readonly string[]
}

/**
 * Keeps a write on the device and sends it as soon as the server can be reached, in this or in a later visit. It has been kept when this
 * resolves, whether there is a network or not. New things carry an `id` in their body: `newId()`; a change carries the `version` it was
 * made on, and while an older change of the same thing waits, that same version.
 * Where the device has no room, or keeps nothing at all, it is sent at once instead.
 * @returns the entry's id: that of the new thing, where there is one
 * @throws an Error with a sentence for the person (StorageFull, or the server's refusal) when it could neither be kept nor sent
 */
export async function enqueue<E extends Endpoint>(endpoint: E, input: InputOf<E>, options: EnqueueOptions): Promise<string> {
  const plain = structuredClone(input) as { params?: { id?: string }; query?: unknown; body?: unknown }
  const made = bodyOf({ input: plain }).id
  const id = typeof made === 'string' ? made : newId()
  const thingId = typeof made === 'string' ? made : plain.params?.id
  const photos = (options.photos ?? []).map((file): [QueuedPhoto, File] => [
    { key: randomKey(), name: file.name, type: contentTypeOf(file), size: file.size, alt: '', uploadId: null },
    file,
  ])
  const write = {
    id,
    call: kept(endpoint),
    input: plain,
    lane: options.lane,
    subjects: [options.lane, ...(thingId ? [thingId] : []), ...(options.subjects ?? [])],
    title: options.title,
    labels: options.labels ?? {},
    photos: photos.map(([photo]) => photo),
    photosInto: options.photosInto ?? 'mediaIds',
    thing: options.thing && thingId ? { id: thingId, read: kept(options.thing.read), change: kept(options.thing.change) } : null,
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
    const notKept =
      error instanceof StorageFull
        ? error
        : new Error('This browser keeps no entries, and the server cannot be reached. Nothing was saved.')
    await sendAtOnce({ ...write, account: outbox.account, seq: 0 }, files, notKept)
    return id
  }
  void sync()
  return id
}

const kept = ({ method, path }: Endpoint): KeptCall => ({ method, path })

/** Asks the browser not to clear this site's data when room gets scarce. Some grant it silently, some ask the person, some do neither. */
async function askToStay(): Promise<void> {
  const { storage } = navigator as { storage?: StorageManager }
  if (storage?.persist && !(await storage.persisted())) await storage.persist()
}
