import type { Media } from '#contracts/media.ts'

/**
 * A message being sent. Its client-generated id makes sending idempotent.
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

/** The message to send next: one at a time, in the order written. Null if there is none. */
export function nextToSend(line: Line): Outgoing | null {
  const first = line.find(({ state }) => state !== 'refused')
  return first?.state === 'waiting' ? first : null
}

export const changed = (line: Line, id: string, changes: Partial<Outgoing>): Outgoing[] =>
  line.map((each) => (each.id === id ? { ...each, ...changes } : each))

/** Queues stuck messages again. Keeps their errors until they succeed, to avoid flicker. */
export const resumed = (line: Line): Outgoing[] => line.map((each) => (each.state === 'stuck' ? { ...each, state: 'waiting' } : each))

/** Retries a message at the person's request, along with stuck ones before it. */
export const retried = (line: Line, id: string): Outgoing[] => resumed(changed(line, id, { state: 'waiting', problem: null }))

export function withoutArrived(line: Line, arrived: readonly { id: string }[]): Line {
  const ids = new Set(arrived.map(({ id }) => id))
  return line.some(({ id }) => ids.has(id)) ? line.filter(({ id }) => !ids.has(id)) : line
}

/** Validates the stored line. Messages being sent may have arrived or not, so they are sent again. */
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
