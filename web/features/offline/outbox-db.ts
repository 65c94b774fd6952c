import { type OfflineDb, offlineDb } from './offline-db.ts'
import type { OutboxStore } from './outbox.ts'
import type { QueuedWrite } from './queued-write.ts'

/** The device has no room for an entry. Nothing of it was kept. */
export class StorageFull extends Error {
  override readonly name = 'StorageFull'
}

/** The outbox in the device's database. `strict`: an entry is on the disk before anybody is told that it is kept. */
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
        // The database gives it its number.
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
    const after = new Map(change(before).map((write) => [write.seq, write]))
    for (const write of before) {
      const changed = after.get(write.seq)
      if (changed === write) continue
      if (changed) await writes.put(changed)
      else await writes.delete(write.seq)
      const keys = new Set(changed?.photos.map(({ key }) => key))
      for (const { key } of write.photos) if (!keys.has(key)) await tx.objectStore('files').delete(key)
    }
    await tx.done
  },

  async file(key) {
    return (await (await offlineDb()).get('files', key))?.blob ?? null
  },
}

async function roomSentence(db: OfflineDb, adding: number): Promise<string> {
  const waiting = await db.count('files')
  const photos = waiting === 1 ? '1 photo waits' : `${waiting} photos wait`
  const rest = adding > 0 ? 'Send those first, or save this entry without its photo.' : 'Send those first, or free some room on the phone.'
  return `This phone has no room left: ${photos} to be sent. ${rest}`
}

/** How many entries of an account wait on this device. */
export async function countWaiting(account: string): Promise<number> {
  return (await offlineDb()).countFromIndex('writes', 'account', account)
}
