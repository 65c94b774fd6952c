import type { NotificationType } from '#contracts/notification-types.ts'
import { dayMs } from '#contracts/time.ts'
import type { Tx } from '#server/db/connect.ts'

/** Demo content being loaded: keys of the content → IDs of the rows inserted so far. */
export type LoadContext = { tx: Tx; now: Date; people: Map<string, string>; businesses: Map<string, string> }

/** An action that others are notified of; mirrors server/features/notifications. */
export type DemoActivity = {
  recipientIds: string[]
  type: NotificationType
  groupKey: string
  /** Null if the actor is a business. */
  actorId: string | null
  at: Date
  businessId?: string
  postId?: string
  commentId?: string
  reviewId?: string
}

export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * dayMs)

/** An unknown key is a mistake in these files. */
export function requireKey<Value>(of: ReadonlyMap<string, Value>, key: string): Value {
  const value = of.get(key)
  if (value === undefined) throw new Error(`The demo content refers to “${key}”, which doesn't exist.`)
  return value
}
