import type { Media } from '../../../contracts/media.ts'

/**
 * A message on its way to the server. Its id is made here, and by it the server knows what it has already: sent twice, it is there once.
 * - `waiting`: its turn has not come
 * - `stuck`: no answer, or not now. It is tried again by itself, and what was written after it waits
 * - `refused`: the server will not take it; what was written after it goes on
 */
export type Outgoing = {
  id: string
  content: string
  media: readonly Media[]
  createdAt: string
  state: 'waiting' | 'sending' | 'stuck' | 'refused'
  /** What went wrong when it was tried last, for the person. */
  problem: string | null
}

type Line = readonly Outgoing[]

/** Which one is sent now: one at a time, in the order in which they were written; null when there is nothing to send. */
export function nextToSend(line: Line): Outgoing | null {
  const first = line.find(({ state }) => state !== 'refused')
  return first?.state === 'waiting' ? first : null
}

export const changed = (line: Line, id: string, changes: Partial<Outgoing>): Outgoing[] =>
  line.map((each) => (each.id === id ? { ...each, ...changes } : each))

/** Those that are stuck get their turn again. What went wrong stays until it goes well: nothing flickers while it is tried. */
export const resumed = (line: Line): Outgoing[] => line.map((each) => (each.state === 'stuck' ? { ...each, state: 'waiting' } : each))

/** The person wants this one sent: whatever holds it, or the one before it, is tried again. */
export const retried = (line: Line, id: string): Outgoing[] => resumed(changed(line, id, { state: 'waiting', problem: null }))

/** Without those that have arrived, whoever said so. */
export function withoutArrived(line: Line, arrived: readonly { id: string }[]): Line {
  const ids = new Set(arrived.map(({ id }) => id))
  return line.some(({ id }) => ids.has(id)) ? line.filter(({ id }) => !ids.has(id)) : line
}

/** What a tab has kept of the line. What was under way may have arrived or not: it is sent again. */
export function restoredLine(kept: unknown): Outgoing[] {
  if (!Array.isArray(kept)) return []
  return kept.filter(isOutgoing).map((each) => (each.state === 'refused' ? each : { ...each, state: 'waiting', problem: null }))
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
