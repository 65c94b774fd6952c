import type { Insertable } from 'kysely'
import type { DB, Db } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'

let count = 0

/** Inserts a published post directly, without side effects. */
export async function addPost(db: Db, details: Partial<Insertable<DB['posts']>> & { author_id: string }): Promise<{ id: string }> {
  const number = ++count
  const row = { id: newId(), title: `Post ${number}`, content: `Words of post ${number}`, ...details }
  await db.insertInto('posts').values(row).execute()
  return { id: row.id }
}

/** A ready upload without files. */
export async function addMedia(db: Db, ownerId: string, details: Partial<Insertable<DB['media']>> = {}): Promise<{ id: string }> {
  const row = {
    id: newId(),
    owner_id: ownerId,
    kind: 'image' as const,
    status: 'ready' as const,
    byte_size: 1000,
    received_bytes: 1000,
    width: 1200,
    height: 800,
    widths: [320, 640, 1200],
    ...details,
  }
  await db.insertInto('media').values(row).execute()
  return { id: row.id }
}
