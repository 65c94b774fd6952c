import { afterArrival, type Hold, nextWrite, type QueuedWrite, type Theirs } from './queued-write.ts'

/** Where writes are kept. Every operation is whole or has not happened, whatever breaks off in the middle of it. */
export type OutboxStore = {
  /** In the order in which they were written. */
  read(account: string): Promise<QueuedWrite[]>
  /** Adds one at the end, with its files. An id that is there already changes nothing. @throws StorageFull */
  add(write: Omit<QueuedWrite, 'seq'>, files: ReadonlyMap<string, Blob>): Promise<void>
  /** Reads, changes and writes back in one step. The files of what is left out go with it. */
  update(account: string, change: (writes: QueuedWrite[]) => QueuedWrite[]): Promise<void>
  file(key: string): Promise<Blob | null>
}

/**
 * What came of sending one.
 * - `arrived`: the server has it; `answer` is what it said
 * - `unreachable`: no answer; it may or may not have it
 * - `later`: the server cannot now; `afterMs` when it said how long
 */
export type Outcome =
  | { kind: 'arrived'; answer: unknown }
  | { kind: 'unreachable' }
  | { kind: 'signed out' }
  | { kind: 'later'; afterMs: number | null; message: string; isOwnFault: boolean }
  | { kind: 'conflict'; message: string; theirs: Theirs }
  | { kind: 'refused'; message: string; fields: Record<string, string> }

/** How a round of sending ended, and when there will be something to send again by itself (null: when something happens). */
export type Round = { end: 'done' | 'unreachable' | 'signed out'; wakeAt: number | null }

type Parts = {
  account: string
  store: OutboxStore
  /** Changes what is kept of the write while it is under way: the ids of begun uploads. */
  send: (write: QueuedWrite, keep: (change: (write: QueuedWrite) => QueuedWrite) => Promise<void>) => Promise<Outcome>
  /** Runs one thing at a time, over all tabs of the browser. */
  alone: <T>(work: () => Promise<T>) => Promise<T>
  now: () => number
  /** After every change of what is kept. */
  onChange: () => void
  onArrived: (write: QueuedWrite) => void
}

const firstPause = 2_000
const longestPause = 5 * 60_000
/** A server that fails over the same entry this often, while it answers others, will not take it by itself. */
const patience = 8

export type Outbox = ReturnType<typeof createOutbox>

/**
 * Sends what waits, in order. One step at a time is alone among all tabs, and what is kept changes only when the answer is there: whatever
 * breaks off, the entry is sent again, and the server knows it by its id.
 */
export function createOutbox({ account, store, send, alone, now, onChange, onArrived }: Parts) {
  let round: Promise<Round> | null = null
  let isAsked = false

  async function change(id: string, to: (write: QueuedWrite) => QueuedWrite | null): Promise<boolean> {
    let isThere = false
    await store.update(account, (writes) =>
      writes.flatMap((write) => {
        if (write.id !== id) return [write]
        isThere = true
        return to(write) ?? []
      }),
    )
    onChange()
    return isThere
  }

  /** One step: the next entry is sent, and what came of it kept. @returns how the round ends, or null to go on */
  async function step(): Promise<Round | null> {
    const next = nextWrite(await store.read(account), now())
    if (!next.write) return { end: 'done', wakeAt: next.wakeAt }
    const { write } = next
    const outcome = await send(write, async (to) => void (await change(write.id, to)))
    switch (outcome.kind) {
      case 'arrived':
        onArrived(write)
        await store.update(account, (writes) => afterArrival(writes, write, outcome.answer))
        onChange()
        return null
      case 'unreachable':
      case 'signed out':
        return { end: outcome.kind, wakeAt: null }
      case 'later': {
        const failures = write.failures + (outcome.isOwnFault ? 1 : 0)
        const { message } = outcome
        const hold: Hold | null = failures >= patience ? { kind: 'refused', message, fields: {} } : null
        const pause = outcome.afterMs ?? Math.min(longestPause, firstPause * 2 ** Math.max(0, failures - 1))
        await change(write.id, (kept) => ({ ...kept, failures, hold, retryAt: now() + pause }))
        return null
      }
      case 'conflict':
      case 'refused': {
        const { kind, message } = outcome
        const hold: Hold = kind === 'conflict' ? { kind, message, theirs: outcome.theirs } : { kind, message, fields: outcome.fields }
        await change(write.id, (kept) => ({ ...kept, hold }))
        return null
      }
    }
  }

  async function sendAll(): Promise<Round> {
    try {
      for (;;) {
        isAsked = false
        const end = await alone(step)
        // What was added while the last step looked is not to wait for the next occasion.
        if (end && !(isAsked && end.end === 'done')) return end
      }
    } finally {
      round = null
    }
  }

  return {
    account,
    read: () => store.read(account),
    async add(write: Omit<QueuedWrite, 'seq' | 'account'>, files: ReadonlyMap<string, Blob>): Promise<void> {
      await store.add({ ...write, account }, files)
      onChange()
    },
    /** Sends what can be sent; a call while that is under way joins it. @throws what the store throws */
    flush(): Promise<Round> {
      isAsked = true
      round ??= sendAll()
      return round
    },
    /**
     * Changes an entry that has not been sent, and lets it go on: a correction, or an answer to what holds it. It waits for what is under
     * way. @returns whether it was still there; else the server has it by now
     */
    revise: (id: string, to: (write: QueuedWrite) => QueuedWrite): Promise<boolean> =>
      alone(() => change(id, (write) => ({ ...to(write), hold: null, failures: 0, retryAt: 0 }))),
    /** Throws an entry away. @returns whether it was still there */
    discard: (id: string): Promise<boolean> => alone(() => change(id, () => null)),
    /** Throws all away. */
    clear: (): Promise<void> =>
      alone(async () => {
        await store.update(account, () => [])
        onChange()
      }),
    /** Makes those that wait for their turn ready now: the network is back. */
    hurry: (): Promise<void> =>
      alone(async () => {
        await store.update(account, (writes) => writes.map((write) => (write.retryAt > 0 ? { ...write, retryAt: 0 } : write)))
        onChange()
      }),
  }
}
