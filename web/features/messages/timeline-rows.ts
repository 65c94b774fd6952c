import { localDateFormat } from '../../lib/format.ts'

/** What rows are made of, whether it has arrived or is on its way. */
export type Spoken = { id: string; isOwn: boolean; senderKey: string; createdAt: string }

export type TimelineRow<S extends Spoken> =
  | { kind: 'day'; key: string; at: Date }
  /** Here begins what was not read yet. */
  | { kind: 'news'; key: string }
  | { kind: 'message'; key: string; message: S /** Of its group, whose bubbles stand close together. */; isFirst: boolean; isLast: boolean }

/** What somebody says within this time belongs together. */
const together = 5 * 60_000

/**
 * Puts messages under the day on which they were written, as it is where the viewer is, and in groups by who wrote them.
 * @param firstNew the id of the first unread message; null: none
 */
export function timelineRows<S extends Spoken>(messages: readonly S[], firstNew: string | null): TimelineRow<S>[] {
  const rows: TimelineRow<S>[] = []
  let before: S | null = null
  for (const message of messages) {
    const at = new Date(message.createdAt)
    const isNewDay = !before || dayOf(new Date(before.createdAt)) !== dayOf(at)
    if (isNewDay) rows.push({ kind: 'day', key: `day-${dayOf(at)}-${message.id}`, at })
    if (message.id === firstNew) rows.push({ kind: 'news', key: 'news' })
    const last = rows.at(-1)
    const isFirst =
      last?.kind !== 'message' ||
      !before ||
      before.senderKey !== message.senderKey ||
      at.getTime() - Date.parse(before.createdAt) > together
    if (isFirst && last?.kind === 'message') last.isLast = true
    else if (!isFirst && last?.kind === 'message') last.isLast = false
    rows.push({ kind: 'message', key: message.id, message, isFirst, isLast: true })
    before = message
  }
  return rows
}

/** The first of the last `unread` messages of somebody else; of what is here, when there are more. */
export function firstUnread(messages: readonly Spoken[], unread: number): string | null {
  let first: string | null = null
  for (let index = messages.length - 1, left = unread; index >= 0 && left > 0; index--) {
    const message = messages[index]
    if (!message || message.isOwn) continue
    first = message.id
    left -= 1
  }
  return first
}

const weekday = localDateFormat({ weekday: 'long' })
const thisYear = localDateFormat({ weekday: 'long', month: 'long', day: 'numeric' })
const otherYear = localDateFormat({ month: 'long', day: 'numeric', year: 'numeric' })

/** "Today", "Yesterday", "Monday" within the last week, "Monday, March 3", "March 3, 2025". */
export function dayWords(at: Date, now: Date): string {
  const days = Math.round((Date.parse(`${dayOf(now)}T00:00Z`) - Date.parse(`${dayOf(at)}T00:00Z`)) / 86_400_000)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days < 7) return weekday.format(at)
  return (at.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(at)
}

const dayOf = (at: Date): string =>
  `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`
