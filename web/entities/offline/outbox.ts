import { minuteMs } from '#contracts/time.ts'
import { afterArrival, type Hold, nextWrite, type QueuedWrite, type Theirs } from './queued-write.ts'

/** Storage for writes. Operations are atomic, even if interrupted. */
export type OutboxStore = {
  /** In the order written. */
  read(account: string): Promise<QueuedWrite[]>
  /** Appends a write with its files. No-op for an existing ID. @throws StorageFull */
  add(write: Omit<QueuedWrite, 'seq'>, files: ReadonlyMap<string, Blob>): Promise<void>
  /** Atomic read and write. Deletes the files of removed writes. */
  update(account: string, change: (writes: QueuedWrite[]) => QueuedWrite[]): Promise<void>
  file(key: string): Promise<Blob | null>
}

/**
 * Result of sending a write.
 * - `arrived`: the server has it; `answer` is the response
 * - `unreachable`: no response; the server may or may not have it
 * - `later`: temporarily refused; `afterMs` is the server's delay, if given
 */
export type Outcome =
  | { kind: 'arrived'; answer: unknown }
  | { kind: 'unreachable' }
  | { kind: 'signed out' }
  | { kind: 'later'; afterMs: number | null; message: string; isOwnFault: boolean }
  | { kind: 'conflict'; message: string; theirs: Theirs }
  | { kind: 'refused'; message: string; fields: Record<string, string> }

/** How a round of sending ended, and when to retry (null: on the next event). */
export type Round = { end: 'done' | 'unreachable' | 'signed out'; wakeAt: number | null }

type Parts = {
  account: string
  store: OutboxStore
  /** `keep` updates the stored write while it is being sent, with the IDs of started uploads. */
  send: (write: QueuedWrite, update: (change: (write: QueuedWrite) => QueuedWrite) => Promise<void>) => Promise<Outcome>
  /** Serializes work across all tabs. */
  alone: <T>(work: () => Promise<T>) => Promise<T>
  now: () => number
  onChange: () => void
  onArrived: (write: QueuedWrite) => void
}

const firstPause = 2_000
const maxPauseMs = 5 * minuteMs
/** Failures on one entry, with the server otherwise working, after which the entry is held. */
const patience = 8

export type Outbox = ReturnType<typeof createOutbox>

/**
 * Sends pending writes in order. Steps are exclusive across tabs, and the stored state changes only after a response. An interrupted
 * entry is sent again, and the server deduplicates it by ID.
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

  /** Sends the next entry and stores the result. @returns how the round ends, or null to continue */
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
        const pause = outcome.afterMs ?? Math.min(maxPauseMs, firstPause * 2 ** Math.max(0, failures - 1))
        await change(write.id, (stored) => ({ ...stored, failures, hold, retryAt: now() + pause }))
        return null
      }
      case 'conflict':
      case 'refused': {
        const { kind, message } = outcome
        const hold: Hold = kind === 'conflict' ? { kind, message, theirs: outcome.theirs } : { kind, message, fields: outcome.fields }
        await change(write.id, (stored) => ({ ...stored, hold }))
        return null
      }
    }
  }

  async function sendAll(): Promise<Round> {
    try {
      for (;;) {
        isAsked = false
        const end = await alone(step)
        // Entries added during the last step must not wait for the next trigger.
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
    /** Sends everything possible; concurrent calls share a round. @throws storage errors */
    flush(): Promise<Round> {
      isAsked = true
      round ??= sendAll()
      return round
    },
    /**
     * Changes an unsent entry and releases it, to correct it or to resolve what holds it. Waits for a send in progress.
     * @returns whether it still existed; otherwise the server has it
     */
    revise: (id: string, to: (write: QueuedWrite) => QueuedWrite): Promise<boolean> =>
      alone(() => change(id, (write) => ({ ...to(write), hold: null, failures: 0, retryAt: 0 }))),
    /** @returns whether the entry still existed */
    discard: (id: string): Promise<boolean> => alone(() => change(id, () => null)),
    clear: (): Promise<void> =>
      alone(async () => {
        await store.update(account, () => [])
        onChange()
      }),
    /** Cancels retry delays, because the network is back. */
    hurry: (): Promise<void> =>
      alone(async () => {
        await store.update(account, (writes) => writes.map((write) => (write.retryAt > 0 ? { ...write, retryAt: 0 } : write)))
        onChange()
      }),
  }
}
