import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { OutboxStore, QueuedWrite } from './outbox.ts'

/** A device belongs to one account. It shows and caches only that account's data. */
export type Viewer = { user: CurrentUser; theme: string | null; isLightsOff: boolean }

export type CachedAnswer = { account: string; key: string; data: unknown; readAt: number; size: number }

interface OfflineSchema extends DBSchema {
  writes: { key: number; value: QueuedWrite; indexes: { account: string; id: string } }
  files: { key: string; value: { key: string; blob: Blob } }
  answers: { key: [string, string]; value: CachedAnswer; indexes: { account: string } }
  viewer: { key: 'viewer'; value: Viewer }
}

export type OfflineDb = IDBPDatabase<OfflineSchema>

export const offlineDbName = 'offline'

let opened: Promise<OfflineDb> | null = null

/**
 * Shared by all tabs and the service worker. Not secret: anyone with access to the browser profile can read it, so sign-out deletes cached
 * responses.
 * @throws if the browser doesn't allow it (some private windows)
 */
export function offlineDb(): Promise<OfflineDb> {
  opened ??= openDB<OfflineSchema>(offlineDbName, 1, {
    upgrade(db) {
      const writes = db.createObjectStore('writes', { keyPath: 'seq', autoIncrement: true })
      writes.createIndex('account', 'account')
      writes.createIndex('id', 'id', { unique: true })
      db.createObjectStore('files', { keyPath: 'key' })
      db.createObjectStore('answers', { keyPath: ['account', 'key'] }).createIndex('account', 'account')
      db.createObjectStore('viewer')
    },
    blocking: (_current, _wanted, event) => (event.target as IDBDatabase).close(),
    terminated: () => {
      opened = null
    },
  }).catch((error) => {
    opened = null
    throw error
  })
  return opened
}

export async function forgetOfflineDb(): Promise<void> {
  ;(await opened)?.close()
  opened = null
  await deleteDB(offlineDbName)
}

/** Thrown before anything is stored. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull'
}

/** `strict` durability: an entry is on disk before it is reported as stored. */
export const outboxDb: OutboxStore = {
  async read(account) {
    return (await offlineDb()).getAllFromIndex('writes', 'account', account)
  },

  async add(write, files) {
    const db = await offlineDb()
    try {
      const tx = db.transaction(['writes', 'files'], 'readwrite', { durability: 'strict' })
      const writes = tx.objectStore('writes')
      if ((await writes.index('id').getKey(write.id)) === undefined) {
        // The database assigns the sequence number.
        await writes.add(write as QueuedWrite)
        for (const [key, blob] of files) await tx.objectStore('files').put({ key, blob })
      }
      await tx.done
    } catch (error) {
      if (error instanceof DOMException && error.name === 'QuotaExceededError') throw new StorageFull(await roomSentence(db, files.size))
      throw error
    }
  },

  async update(account, change) {
    const db = await offlineDb()
    const tx = db.transaction(['writes', 'files'], 'readwrite', { durability: 'strict' })
    const writes = tx.objectStore('writes')
    const before = await writes.index('account').getAll(account)
    const changes = change(before)
    const after = new Map(changes.flatMap((write) => ('seq' in write ? [[write.seq, write]] : [])))
    for (const write of before) {
      const changed = after.get(write.seq)
      if (changed === write) continue
      if (changed) await writes.put(changed)
      else await writes.delete(write.seq)
      const keys = new Set(changed?.photos.map(({ key }) => key))
      for (const { key } of write.photos) if (!keys.has(key)) await tx.objectStore('files').delete(key)
    }
    for (const write of changes) if (!('seq' in write)) await writes.add(write as QueuedWrite)
    await tx.done
  },

  async file(key) {
    return (await (await offlineDb()).get('files', key))?.blob ?? null
  },
}

async function roomSentence(db: OfflineDb, adding: number): Promise<string> {
  const waiting = await db.count('files')
  const otherwise = adding > 0 ? 'save this entry without its photo' : 'free up space on this device'
  if (waiting === 0) return `This device is out of space. To continue, ${otherwise}.`
  const photos = waiting === 1 ? '1 photo is waiting' : `${waiting} photos are waiting`
  return `This device is out of space: ${photos} to be sent. Send ${waiting === 1 ? 'it' : 'them'} first, or ${otherwise}.`
}

export async function countWaiting(account: string): Promise<number> {
  return (await offlineDb()).countFromIndex('writes', 'account', account)
}
