import type { Method } from '#contracts/endpoint.ts'
import { minuteMs } from '#contracts/time.ts'
import { addressOf, type Input } from '#web/lib/address.ts'

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
type Round = { end: 'done' | 'unreachable' | 'signed out'; wakeAt: number | null }

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

/** A stored call: what `call()` needs, without schemas. */
export type StoredCall = { method: Method; path: `/api/${string}` }

/** A photo pending with its entry. The file is stored separately under the same key. */
export type QueuedPhoto = {
  /** Also the upload's idempotency key. */
  key: string
  name: string
  type: string
  size: number
  alt: string
  uploadId: string | null
}

/**
 * Why an entry waits for the person's decision.
 * - `refused`: the server rejected it; `fields` are errors by field
 * - `conflict`: the resource has changed elsewhere; `theirs` is the server's version
 */
export type Hold =
  | { kind: 'refused'; message: string; fields: Record<string, string> }
  | { kind: 'conflict'; message: string; theirs: Theirs }

/** The server's current version of a resource. */
export type Theirs = Record<string, unknown> & { version?: number }

export type QueuedWrite = {
  /** A client-generated UUIDv7. For a new resource it is the resource's ID, which makes sending idempotent. */
  id: string
  /** The author's account. Never shown to or sent as another account. */
  account: string
  /** Order of writing on this device. */
  seq: number
  call: StoredCall
  input: Input
  /** Writes in a lane (a hunt) are sent in order; lanes don't wait for each other. */
  lane: string
  /** Related IDs, for screens that show pending writes: the hunt, the plant. */
  subjects: readonly string[]
  /** For display: "Log of #7, week 4". */
  title: string
  /** Labels of body fields shown and editable, in order: `{ heightCm: 'Height (cm)' }`. */
  labels: Record<string, string>
  photos: readonly QueuedPhoto[]
  /** The body field to append uploaded photos' IDs to. */
  photosInto: string
  /** Calls that read and change the resource by ID, for conflicts. */
  thing: { id: string; read: StoredCall; change: StoredCall } | null
  /** Paths to refetch after arrival. */
  refreshes: readonly string[]
  createdAt: number
  hold: Hold | null
  failures: number
  retryAt: number
}

export type Body = Record<string, unknown>

export const bodyOf = ({ input }: Pick<QueuedWrite, 'input'>): Body => (input.body ?? {}) as Body

export const withBody = <W extends Pick<QueuedWrite, 'input'>>(write: W, changes: Body): W => ({
  ...write,
  input: { ...write.input, body: { ...bodyOf(write), ...changes } },
})

/** The version a change is based on; null for new resources. Calls without a body have it in the query. */
export function versionOf({ input }: Pick<QueuedWrite, 'input'>): number | null {
  const { version } = { ...(input.query as Body | undefined), ...(input.body as Body | undefined) } as Theirs
  return version ?? null
}

const withVersion = <W extends Pick<QueuedWrite, 'input'>>(write: W, version: number): W =>
  write.input.body
    ? withBody(write, { version })
    : { ...write, input: { ...write.input, query: { ...(write.input.query as Body), version } } }

const target = ({ call, input }: QueuedWrite): string => addressOf(call, { params: input.params })

/** IDs of the resources a write creates: one, or a batch. */
function made(write: QueuedWrite): string[] {
  if (write.call.method !== 'POST') return []
  const body = bodyOf(write)
  return [body, ...Object.values(body).flat()].flatMap((part) => {
    const id = (part as { id?: unknown } | null)?.id
    return typeof id === 'string' ? [id] : []
  })
}

/** Whether `later` uses a resource that `earlier` creates, or changes the same one. */
function dependsOn(later: QueuedWrite, earlier: QueuedWrite): boolean {
  const ids = made(earlier)
  const input = ids.length > 0 ? JSON.stringify(later.input) : ''
  return ids.some((id) => input.includes(id)) || (earlier.call.method !== 'POST' && target(later).startsWith(target(earlier)))
}

/**
 * The first write that nothing blocks. A held entry blocks only what depends on it; one that the server just failed on blocks its lane,
 * so that a hunt's writes arrive in order.
 * @param writes in the order written
 * @returns the write, or when to check again (null: nothing will change by itself)
 */
function nextWrite(writes: readonly QueuedWrite[], now: number): { write: QueuedWrite } | { write: null; wakeAt: number | null } {
  const passed: QueuedWrite[] = []
  const waitingLanes = new Set<string>()
  let wakeAt: number | null = null
  for (const write of writes) {
    const isBehind = waitingLanes.has(write.lane) || passed.some((earlier) => dependsOn(write, earlier))
    if (!write.hold && !isBehind) {
      if (write.retryAt <= now) return { write }
      waitingLanes.add(write.lane)
      wakeAt = Math.min(wakeAt ?? write.retryAt, write.retryAt)
    }
    passed.push(write)
  }
  return { write: null, wakeAt }
}

/**
 * The remaining writes after one has arrived. Later writes based on the same version move to the response's version; otherwise the
 * person would be in conflict with themselves.
 */
function afterArrival(writes: readonly QueuedWrite[], arrived: QueuedWrite, answer: unknown): QueuedWrite[] {
  const version = (answer as Theirs | null | undefined)?.version
  const rest = writes.filter(({ id }) => id !== arrived.id)
  const before = versionOf(arrived)
  if (version === undefined || before === null) return rest
  return rest.map((write) =>
    target(write) === target(arrived) && versionOf(write) === before && !write.hold ? withVersion(write, version) : write,
  )
}

/**
 * Resolves a held write in the person's favor: based on the server's version, with corrections. A corrected creation whose first response
 * was lost exists already, so it becomes a change.
 */
export function insisted(write: QueuedWrite, corrections: Body = {}): QueuedWrite {
  const corrected = Object.keys(corrections).length > 0 ? withBody(write, corrections) : write
  if (write.hold?.kind !== 'conflict') return corrected
  const version = write.hold.theirs.version ?? 0
  if (versionOf(write) !== null) return withVersion(corrected, version)
  const { id, ...said } = bodyOf(corrected)
  if (!write.thing || typeof id !== 'string') return corrected
  return { ...corrected, call: write.thing.change, input: { params: { id }, body: { ...said, version } } }
}
