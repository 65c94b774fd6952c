import { useEffect, useState, useSyncExternalStore } from 'react'
import { oldestShown, onKept } from './keep-offline.ts'
import { outboxDb } from './outbox-db.ts'
import { type Hold, insisted, type QueuedPhoto, type QueuedWrite } from './queued-write.ts'
import { getReach, onReach } from './reach.ts'
import { getSync, onSync, requireOutbox, type SyncState, sync } from './sync.ts'

export const useSync = (): SyncState => useSyncExternalStore(onSync, getSync)

export const useReach = () => useSyncExternalStore(onReach, getReach)

/** When the oldest of what the page shows was read, where it did not come from the server just now. */
export const useKeptSince = (): number | null => useSyncExternalStore(onKept, oldestShown)

/**
 * An entry on its way, as a screen shows it among what the server has.
 * - `waiting`: for the network, or for its turn
 * - `arrived`: the server has it; the list that will show it is being read
 * - `refused`, `conflict`: its person has to decide; `hold` says what about
 */
export type PendingWrite = {
  id: string
  status: 'waiting' | 'sending' | 'arrived' | 'refused' | 'conflict'
  /** The declared call, and what was given to it. */
  method: string
  path: string
  params: Record<string, string>
  body: Record<string, unknown>
  title: string
  /** Names of the fields of the body that a person may read and correct. */
  labels: Record<string, string>
  subjects: readonly string[]
  createdAt: number
  photos: readonly QueuedPhoto[]
  hold: Hold | null
}

export type OutboxFilter = {
  /** The id of a hunt, a plant, a log. */
  subject?: string
  /** Of this call alone: `createGrowLog.path`. */
  path?: string
  method?: string
}

/** What the signed-in person has written and the server may not have yet, in the order of writing. */
export function useOutbox({ subject, path, method }: OutboxFilter = {}): PendingWrite[] {
  const { waiting, arrived, sendingId } = useSync()
  return [
    ...arrived.map((write) => pending(write, 'arrived')),
    ...waiting.map((write) => pending(write, statusOf(write, sendingId))),
  ].filter(
    (each) =>
      (subject === undefined || each.subjects.includes(subject)) &&
      (path === undefined || each.path === path) &&
      (method === undefined || each.method === method),
  )
}

const statusOf = ({ id, hold }: QueuedWrite, sendingId: string | null): PendingWrite['status'] =>
  hold ? hold.kind : id === sendingId ? 'sending' : 'waiting'

function pending(write: QueuedWrite, status: PendingWrite['status']): PendingWrite {
  const { id, call, input, title, labels, subjects, createdAt, photos, hold } = write
  const { params = {}, body = {} } = input as { params?: Record<string, string>; body?: Record<string, unknown> }
  return { id, status, method: call.method, path: call.path, params, body, title, labels, subjects, createdAt, photos, hold }
}

/** A photo that waits, to look at; null until it has been read, or when it is gone. */
export function usePhotoUrl(key: string): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    let made: string | null = null
    let isGone = false
    void outboxDb
      .file(key)
      .catch(() => null)
      .then((blob) => {
        if (!blob || isGone) return
        made = URL.createObjectURL(blob)
        setUrl(made)
      })
    return () => {
      isGone = true
      if (made) URL.revokeObjectURL(made)
      setUrl(null)
    }
  }, [key])
  return url
}

/** What can be done about an entry that has not arrived. Each resolves to whether it was still there. */
export const entryActions = {
  /** Sends it, with what was corrected; in a conflict, over the server's version. */
  async keepMine(id: string, corrections: Record<string, unknown> = {}): Promise<boolean> {
    const isThere = await requireOutbox().revise(id, (write) => insisted(write, corrections))
    void sync()
    return isThere
  },
  async sendWithoutPhotos(id: string): Promise<boolean> {
    const isThere = await requireOutbox().revise(id, (write) => ({ ...write, photos: [] }))
    void sync()
    return isThere
  },
  /** Gives it up; in a conflict the server's version stands. */
  discard: (id: string): Promise<boolean> => requireOutbox().discard(id),
}
