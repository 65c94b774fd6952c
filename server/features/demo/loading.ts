import type { NotificationType } from '../../../contracts/notifications.ts'
import type { Tx } from '../../db/connect.ts'

/** A load of the demo content that is under way: keys of the content → ids of the rows that are there by now. */
export type Loading = { tx: Tx; now: Date; people: Map<string, string>; businesses: Map<string, string> }

/** Something that others are told of, as server/features/notifications tells it. */
export type Deed = {
  /** The ids of those whom it concerns. */
  tells: string[]
  type: NotificationType
  groupKey: string
  /** Null: a business. */
  actorId: string | null
  at: Date
  businessId?: string
  postId?: string
  commentId?: string
  reviewId?: string
}

export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * 24 * 60 * 60 * 1000)

/** The value of a key of the demo content; a key that names nothing is a slip in these files. */
export function needed<Value>(of: ReadonlyMap<string, Value>, key: string): Value {
  const value = of.get(key)
  if (value === undefined) throw new Error(`The demo content names “${key}”, which is not in it.`)
  return value
}
