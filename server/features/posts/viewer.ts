import type { Role } from '../../../contracts/accounts.ts'
import { type Actor, ageOf } from '../../kernel/actor.ts'

/** Somebody who reads posts. `null` in place of one is a visitor who is not signed in. */
export type Viewer = {
  id: string
  /** In whole years; null while the birthday is not known. */
  age: number | null
  /** When they read: what runs until then is measured by it. */
  now: Date
  role?: Role
  /** They have a plan of their own. For everyone else no query asks what a plan opens, so that it costs them nothing. */
  hasPlan?: boolean
}

export function viewerOf(actor: Actor, now: Date): Viewer
export function viewerOf(actor: Actor | null, now: Date): Viewer | null
export function viewerOf(actor: Actor | null, now: Date): Viewer | null {
  return actor && { id: actor.id, age: ageOf(actor, now), now, role: actor.role, hasPlan: actor.hasPlan }
}
