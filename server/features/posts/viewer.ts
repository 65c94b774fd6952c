import type { Role } from '#contracts/accounts.ts'
import { type Actor, ageOf } from '#server/kernel/actor.ts'

/** A reader of posts. Use `null` for a signed-out visitor. */
export type Viewer = {
  id: string
  /** In whole years; null if the birthday is unknown. */
  age: number | null
  /** The time of reading, for anything that expires. */
  now: Date
  role?: Role
  /** They have a paid plan. Queries check what a plan opens only if this is set, so it costs other readers nothing. */
  hasPlan?: boolean
}

export function viewerOf(actor: Actor, now: Date): Viewer
export function viewerOf(actor: Actor | null, now: Date): Viewer | null
export function viewerOf(actor: Actor | null, now: Date): Viewer | null {
  return actor && { id: actor.id, age: ageOf(actor, now), now, role: actor.role, hasPlan: actor.hasPlan }
}
