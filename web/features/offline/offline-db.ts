import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb'
import type { CurrentUser } from '../../../contracts/accounts.ts'
import type { QueuedWrite } from './queued-write.ts'

/** Whose device this is at the moment: only theirs is shown and kept. */
export type Viewer = { user: CurrentUser; theme: string | null; isLightsOff: boolean }

/** An answer as it was read last. */
export type KeptAnswer = { account: string; key: string; data: unknown; readAt: number; size: number }

interface OfflineSchema extends DBSchema {
  writes: { key: number; value: QueuedWrite; indexes: { account: string; id: string } }
  /** Photos of writes that wait. */
  files: { key: string; value: { key: string; blob: Blob } }
  answers: { key: [string, string]; value: KeptAnswer; indexes: { account: string } }
  viewer: { key: 'viewer'; value: Viewer }
}

export type OfflineDb = IDBPDatabase<OfflineSchema>

export const offlineDbName = 'offline'

let opened: Promise<OfflineDb> | null = null

/**
 * The device's own database, shared by all tabs and the service worker. Browsers hold nothing secret: whoever can use this browser's
 * profile can read what is in here, so private data leaves it at sign-out.
 * @throws where the browser allows none (some private windows)
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
    // A newer version of the app wants to change it: ours lets go.
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

/** Lets go of it, and forgets all of it. For tests. */
export async function forgetOfflineDb(): Promise<void> {
  ;(await opened)?.close()
  opened = null
  await deleteDB(offlineDbName)
}
