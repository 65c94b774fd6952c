import type { Media } from '#contracts/media.ts'
import { minuteMs } from '#contracts/time.ts'
import { localDateFormat } from '#web/lib/format.ts'
import { daysBetween, localDay } from '#web/lib/time-words.ts'

export type SequencedMessage = { id: string; sequence: number }

/**
 * Responses may arrive in any order: older pages after live ones, the viewer's own message before earlier ones. The same responses in any
 * order produce the same timeline.
 */
export type Timeline<M extends SequencedMessage> = {
  /** Sorted by sequence, without duplicates. */
  messages: readonly M[]
  /** No message between the oldest loaded one and this sequence is missing. Newer ones are fetched from here. */
  through: number
  /** Cursor of the previous page. Null on the oldest page, undefined before the first response. */
  older: string | null | undefined
  /** IDs of messages that the viewer deleted, which pending responses must not restore. */
  gone: ReadonlySet<string>
}

export const emptyTimeline: Timeline<never> = { messages: [], through: 0, older: undefined, gone: new Set() }

/** Call with the newest page, which may arrive after other responses. */
export function withNewest<M extends SequencedMessage>(timeline: Timeline<M>, page: readonly M[], older: string | null): Timeline<M> {
  return { ...merged(timeline, page), through: Math.max(timeline.through, last(page)), older }
}

/**
 * Merges a refetch of a page, which also removes messages deleted or hidden elsewhere.
 * @param upTo the sequence up to which the page has all messages; for the newest page, `timeline.through` at the time of the request
 */
export function withReread<M extends SequencedMessage>(
  timeline: Timeline<M>,
  page: readonly M[],
  older: string | null,
  upTo: number,
): Timeline<M> {
  const from = older === null ? 0 : Math.min(...page.map(({ sequence }) => sequence))
  const to = Math.max(upTo, last(page))
  const messages = timeline.messages.filter(({ sequence }) => sequence < from || sequence > to)
  return merged({ ...timeline, messages, older: older === null ? null : timeline.older }, page)
}

export function withOlder<M extends SequencedMessage>(timeline: Timeline<M>, page: readonly M[], older: string | null): Timeline<M> {
  return { ...merged(timeline, page), older }
}

/** `page` must start right after `timeline.through`. */
export function withNews<M extends SequencedMessage>(timeline: Timeline<M>, page: readonly M[]): Timeline<M> {
  return { ...merged(timeline, page), through: Math.max(timeline.through, last(page)) }
}

/** Earlier messages may be missing; see {@link isBehind}. */
export function withMessage<M extends SequencedMessage>(timeline: Timeline<M>, message: M): Timeline<M> {
  const next = merged(timeline, [message])
  return message.sequence === timeline.through + 1 ? { ...next, through: message.sequence } : next
}

export function withoutMessage<M extends SequencedMessage>(timeline: Timeline<M>, id: string): Timeline<M> {
  return {
    ...timeline,
    messages: timeline.messages.filter((message) => message.id !== id),
    gone: new Set([...timeline.gone, id]),
  }
}

/** True if earlier messages may be missing. */
export const isBehind = ({ messages, through }: Timeline<SequencedMessage>): boolean => last(messages) > through

function merged<M extends SequencedMessage>(timeline: Timeline<M>, more: readonly M[]): Timeline<M> {
  const byId = new Map(timeline.messages.map((message) => [message.id, message]))
  for (const message of more) if (!timeline.gone.has(message.id)) byId.set(message.id, message)
  return { ...timeline, messages: [...byId.values()].sort((one, other) => one.sequence - other.sequence) }
}

const last = (messages: readonly SequencedMessage[]): number => messages.reduce((highest, { sequence }) => Math.max(highest, sequence), 0)

export type GroupableMessage = { id: string; isOwn: boolean; senderKey: string; createdAt: string }

type TimelineRow<S extends GroupableMessage> =
  | { kind: 'day'; key: string; at: Date }
  | { kind: 'news'; key: string }
  /** `isFirst` and `isLast` refer to the message's group of bubbles. */
  | { kind: 'message'; key: string; message: S; isFirst: boolean; isLast: boolean }

/** In milliseconds. A sender's messages within this time form a group. */
const together = 5 * minuteMs

/**
 * Groups by day in the viewer's time zone, and by sender.
 * @param firstNew ID of the first unread message, if any
 */
export function timelineRows<S extends GroupableMessage>(messages: readonly S[], firstNew: string | null): TimelineRow<S>[] {
  const rows: TimelineRow<S>[] = []
  let before: S | null = null
  for (const message of messages) {
    const at = new Date(message.createdAt)
    const isNewDay = !before || localDay(new Date(before.createdAt)) !== localDay(at)
    if (isNewDay) rows.push({ kind: 'day', key: `day-${localDay(at)}-${message.id}`, at })
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

const weekday = localDateFormat({ weekday: 'long' })
const thisYear = localDateFormat({ weekday: 'long', month: 'long', day: 'numeric' })
const otherYear = localDateFormat({ month: 'long', day: 'numeric', year: 'numeric' })

/** "Today", "Yesterday", "Monday" in the last week, "Monday, March 3" or "March 3, 2025". */
export function dayWords(at: Date, now: Date): string {
  const days = daysBetween(localDay(at), localDay(now))
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days < 7) return weekday.format(at)
  return (at.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(at)
}

/**
 * The client generates the ID, which makes sending idempotent.
 * - `waiting`: queued
 * - `stuck`: no response, or a temporary error. Retried automatically; later messages wait
 * - `refused`: the server rejected it; later messages are sent
 */
export type Outgoing = {
  id: string
  content: string
  media: readonly Media[]
  createdAt: string
  state: 'waiting' | 'sending' | 'stuck' | 'refused'
  problem: string | null
}

type Line = readonly Outgoing[]

/** Messages are sent one at a time, in the order written. */
export function nextToSend(line: Line): Outgoing | null {
  const first = line.find(({ state }) => state !== 'refused')
  return first?.state === 'waiting' ? first : null
}

export const changed = (line: Line, id: string, changes: Partial<Outgoing>): Outgoing[] =>
  line.map((each) => (each.id === id ? { ...each, ...changes } : each))

/** Stuck messages show their errors until they succeed, to avoid flicker. */
export const resumed = (line: Line): Outgoing[] => line.map((each) => (each.state === 'stuck' ? { ...each, state: 'waiting' } : each))

/** Retries this message and all stuck ones. */
export const retried = (line: Line, id: string): Outgoing[] => resumed(changed(line, id, { state: 'waiting', problem: null }))

export function withoutArrived(line: Line, arrived: readonly { id: string }[]): Line {
  const ids = new Set(arrived.map(({ id }) => id))
  return line.some(({ id }) => ids.has(id)) ? line.filter(({ id }) => !ids.has(id)) : line
}

/** Validates the stored queue. Messages that were being sent may not have arrived, so they are sent again. */
export function restoredLine(stored: unknown): Outgoing[] {
  if (!Array.isArray(stored)) return []
  return stored.filter(isOutgoing).map((each) => (each.state === 'refused' ? each : { ...each, state: 'waiting', problem: null }))
}

function isOutgoing(value: unknown): value is Outgoing {
  const item = value as Partial<Outgoing> | null
  return (
    typeof item === 'object' &&
    typeof item?.id === 'string' &&
    typeof item.content === 'string' &&
    typeof item.createdAt === 'string' &&
    Array.isArray(item.media)
  )
}
