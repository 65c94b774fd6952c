import { uuidv7 } from 'uuidv7'
import type { Method } from '#contracts/endpoint.ts'
import { minuteMs } from '#contracts/time.ts'
import { addressOf, type Input } from '#web/lib/call.ts'

/** Every operation must be atomic, even if interrupted. */
export type OutboxStore = {
  read(account: string): Promise<QueuedWrite[]>
  /** Does nothing for an existing ID. @throws StorageFull */
  add(write: Omit<QueuedWrite, 'seq'>, files: ReadonlyMap<string, Blob>): Promise<void>
  /** Deletes the files of removed writes, and adds writes without a `seq` after all others. */
  update(account: string, change: (writes: QueuedWrite[]) => (QueuedWrite | Omit<QueuedWrite, 'seq'>)[]): Promise<void>
  file(key: string): Promise<Blob | null>
}

/**
 * - `arrived`: the server has the write; `answer` is the response
 * - `unreachable`: no response; the server may or may not have the write
 * - `later`: temporarily refused; `afterMs` is the server's delay, if any
 */
export type Outcome =
  | { kind: 'arrived'; answer: unknown }
  | { kind: 'unreachable' }
  | { kind: 'signed out' }
  | { kind: 'later'; afterMs: number | null; message: string; isOwnFault: boolean }
  | { kind: 'conflict'; message: string; theirs: ServerVersion }
  | Refusal

/**
 * - `unsent`: the server doesn't have the discarded entry
 * - `unsure`: it was sent but got no response, so the server may have it
 * - `gone`: it had already arrived or been discarded
 */
export type Discarded = 'unsent' | 'unsure' | 'gone'

/** `wakeAt` is when to retry; null waits for the next event. */
type Round = { end: 'done' | 'unreachable' | 'signed out'; wakeAt: number | null }

type Parts = {
  account: string
  store: OutboxStore
  /** While the write is being sent, `update` stores the IDs of started uploads, and that the write may have arrived. */
  send: (write: QueuedWrite, update: (change: (write: QueuedWrite) => QueuedWrite) => Promise<void>) => Promise<Outcome>
  alone: <T>(work: () => Promise<T>) => Promise<T>
  now: () => number
  /** Resolves once screens show the change. */
  onChange: () => void | Promise<void>
  onArrived: (write: QueuedWrite) => void
}

const firstPause = 2_000
const maxPauseMs = 5 * minuteMs
/** An entry is blocked once the server has failed on it this many times. */
const maxFailures = 8

export type Outbox = ReturnType<typeof createOutbox>

/**
 * Sends pending writes in order. Steps are exclusive across tabs, and stored state only changes after a response. An interrupted entry is
 * sent again, and the server deduplicates it by ID.
 */
export function createOutbox({ account, store, send, alone, now, onChange, onArrived }: Parts) {
  let round: Promise<Round> | null = null
  let isFlushRequested = false
  /** This device's own changes, by target. Screens may still show the versions that these were based on. */
  const ownChanges = new Map<string, { basedOn: readonly number[]; version: number }>()

  function rememberVersion(write: QueuedWrite, answer: unknown): void {
    const [before, version] = [versionOf(write), (answer as ServerVersion | null | undefined)?.version]
    // A version that is more than one higher includes other people's changes.
    if (before === null || version !== before + 1) return
    const earlier = ownChanges.get(target(write))
    ownChanges.set(target(write), { basedOn: earlier?.version === before ? [...earlier.basedOn, before] : [before], version })
  }

  /**
   * Moves the write to the version after the person's own changes. Otherwise, people would conflict with their own change until the screen
   * shows it.
   */
  function onOwnChange<W extends Pick<QueuedWrite, 'call' | 'input'>>(write: W): W {
    const version = versionOf(write)
    const own = version === null ? undefined : ownChanges.get(target(write))
    return own && version !== null && own.basedOn.includes(version) ? withVersion(write, own.version) : write
  }

  async function change(id: string, to: (write: QueuedWrite) => QueuedWrite): Promise<boolean> {
    let exists = false
    await store.update(account, (writes) =>
      writes.map((write) => {
        if (write.id !== id) return write
        exists = true
        return to(write)
      }),
    )
    void onChange()
    return exists
  }

  /** @returns how the round ends, or null to continue */
  async function step(): Promise<Round | null> {
    const next = nextWrite(await store.read(account), now())
    if (!next.write) return { end: 'done', wakeAt: next.wakeAt }
    const { write } = next
    const outcome = await send(write, async (to) => void (await change(write.id, to)))
    switch (outcome.kind) {
      case 'arrived':
        rememberVersion(write, outcome.answer)
        onArrived(write)
        await store.update(account, (writes) => afterArrival(writes, write, outcome.answer))
        void onChange()
        return null
      case 'unreachable':
      case 'signed out':
        return { end: outcome.kind, wakeAt: null }
      case 'later': {
        const failures = write.failures + (outcome.isOwnFault ? 1 : 0)
        const { message } = outcome
        const hold: Hold | null = failures >= maxFailures ? { kind: 'refused', message, fields: {} } : null
        const pause = outcome.afterMs ?? Math.min(maxPauseMs, firstPause * 2 ** Math.max(0, failures - 1))
        await change(write.id, (stored) => ({ ...stored, failures, hold, retryAt: now() + pause }))
        return null
      }
      case 'conflict':
      case 'refused': {
        const { kind, message } = outcome
        const hold: Hold = kind === 'conflict' ? { kind, message, theirs: outcome.theirs } : outcome
        // A refusal doesn't show whether an earlier attempt arrived.
        await change(write.id, (stored) => ({ ...stored, hold, mayHaveArrived: write.mayHaveArrived }))
        return null
      }
    }
  }

  async function sendAll(): Promise<Round> {
    try {
      for (;;) {
        isFlushRequested = false
        const end = await alone(step)
        // Entries added during the last step must not wait for the next trigger.
        if (end && !(isFlushRequested && end.end === 'done')) return end
      }
    } finally {
      round = null
    }
  }

  return {
    account,
    read: () => store.read(account),
    /** Resolves once screens show the write, so the next step can build on it. */
    async add(write: Omit<QueuedWrite, 'seq' | 'account'>, files: ReadonlyMap<string, Blob>): Promise<void> {
      await store.add({ ...onOwnChange(write), account }, files)
      await onChange()
    },
    /** Sends what can be sent now. Concurrent calls share a round. @throws storage errors */
    flush(): Promise<Round> {
      isFlushRequested = true
      round ??= sendAll()
      return round
    },
    /**
     * Changes an unsent entry and releases it, to correct it or to resolve what blocks it. Waits for a send in progress.
     * @returns whether the entry still existed; if not, it has been sent or discarded
     */
    revise: (id: string, to: (write: QueuedWrite) => QueuedWrite): Promise<boolean> =>
      alone(() => change(id, (write) => ({ ...to(write), hold: null, failures: 0, retryAt: 0 }))),
    /**
     * Sends the items that the server accepts, and leaves the refused ones in a separate entry.
     * @returns whether the entry still existed
     */
    sendOthers: (id: string): Promise<boolean> =>
      alone(async () => {
        let exists = false
        await store.update(account, (writes) =>
          writes.flatMap((write) => {
            if (write.id !== id) return [write]
            exists = true
            return withoutRefused(write)
          }),
        )
        void onChange()
        return exists
      }),
    /** If the entry is unsent, also discards the entries that use what it would have created. */
    discard: (id: string): Promise<Discarded> =>
      alone(async () => {
        let discarded: Discarded = 'gone'
        await store.update(account, (writes) => {
          const write = writes.find((each) => each.id === id)
          if (!write) return writes
          discarded = write.mayHaveArrived ? 'unsure' : 'unsent'
          return write.mayHaveArrived ? writes.filter((each) => each !== write) : withoutCreation(writes, write)
        })
        void onChange()
        return discarded
      }),
    clear: (): Promise<void> =>
      alone(async () => {
        await store.update(account, () => [])
        void onChange()
      }),
    /** Call when the network is back, to cancel retry delays. */
    hurry: (): Promise<void> =>
      alone(async () => {
        await store.update(account, (writes) => writes.map((write) => (write.retryAt > 0 ? { ...write, retryAt: 0 } : write)))
        void onChange()
      }),
  }
}

export type StoredCall = { method: Method; path: `/api/${string}` }

/** The file is stored separately under the same key. */
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
 * - `refused`: the server rejected it; `fields` are errors by field. `lastCopies` are the phenos that its code `last_copy` is about.
 * - `conflict`: the resource changed elsewhere; `theirs` is the server's version
 */
export type Hold = Refusal | { kind: 'conflict'; message: string; theirs: ServerVersion }

type Refusal = { kind: 'refused'; message: string; fields: Record<string, string>; lastCopies?: readonly string[] }

/**
 * A list in the body whose items the server accepts or refuses together. `names` has the plant of each item, and `noun` is "Harvest".
 * `entered` has each item's value as text, "Vigor 8"; without it, the entry's labels name an item's values.
 */
export type QueuedItems = { field: string; names: readonly string[]; noun: string; entered?: readonly string[] | undefined }

export function titleOfItems({ names, noun }: Pick<QueuedItems, 'names' | 'noun'>): string {
  const plants = new Set(names).size
  return `${noun}${names.length === 1 ? '' : 's'} of ${plants === 1 ? names[0] : `${plants} plants`}`
}

/** The indexes of the items that the server refused, in order. */
export const refusedItems = ({ items, hold }: Pick<QueuedWrite, 'items' | 'hold'>): number[] =>
  items && hold?.kind === 'refused'
    ? items.names.flatMap((_, i) => (Object.keys(hold.fields).some((name) => name.startsWith(`${items.field}.${i}.`)) ? [i] : []))
    : []

function withItems(write: QueuedWrite, items: QueuedItems, places: readonly number[]): QueuedWrite {
  const those = (texts: readonly string[]) => places.flatMap((i) => texts[i] ?? [])
  const kept = { ...items, names: those(items.names), entered: items.entered && those(items.entered) }
  const { [items.field]: list, confirmLastCopies } = bodyOf(write) as Record<string, unknown[] | undefined>
  const body = {
    [items.field]: places.map((i) => list?.[i]),
    // The server refuses a confirmation for a pheno that doesn't lose its last copy.
    ...(confirmLastCopies && {
      confirmLastCopies: confirmLastCopies.filter((name) => kept.names.some((plant) => plant === name || plant.startsWith(`${name}-`))),
    }),
  }
  return withBody({ ...write, items: kept, title: titleOfItems(kept) }, body)
}

function withoutRefused(write: QueuedWrite): (QueuedWrite | Omit<QueuedWrite, 'seq'>)[] {
  const { items, hold } = write
  const refused = refusedItems(write)
  if (!items || hold?.kind !== 'refused' || refused.length === 0) return [write]
  const others = items.names.flatMap((_, i) => (refused.includes(i) ? [] : [i]))
  if (others.length === 0) return [write]
  const { seq: _, ...rest } = withItems(write, items, refused)
  const fields = Object.entries(hold.fields).map(([name, problem]) => {
    const [field, place, ...path] = name.split('.')
    return [field === items.field ? [field, refused.indexOf(Number(place)), ...path].join('.') : name, problem]
  })
  return [
    { ...withItems(write, items, others), hold: null, failures: 0, retryAt: 0 },
    { ...rest, id: uuidv7(), hold: { ...hold, fields: Object.fromEntries(fields) } },
  ]
}

export type ServerVersion = Record<string, unknown> & { version?: number }

export type QueuedWrite = {
  /** A client-generated UUIDv7. It becomes the ID of a new resource, which makes sending idempotent. */
  id: string
  /** Never shown to or sent by another account. */
  account: string
  /** In the order written on this device. */
  seq: number
  call: StoredCall
  input: Input
  /** Writes in a lane (a hunt) are sent in order; lanes don't wait for each other. */
  lane: string
  subjects: readonly string[]
  title: string
  /** Labels of body fields that people can see and edit, in order: `{ heightCm: 'Height (cm)' }`. */
  labels: Record<string, string>
  photos: readonly QueuedPhoto[]
  /** The body field that receives the IDs of uploaded photos. */
  photosInto: string
  /** Photos that the resource had and this write removes. Missing in entries of earlier versions of the app. */
  removedPhotos?: readonly string[] | undefined
  /** What to show for fields whose values are IDs: `{ plantId: '#7' }`. */
  texts?: Record<string, string> | undefined
  thing: { id: string; read: StoredCall; change: StoredCall } | null
  items?: QueuedItems | undefined
  refreshes: readonly string[]
  inSeries?: boolean | undefined
  createdAt: number
  /** True if an attempt to send it got no response. Missing in entries of earlier versions of the app. */
  mayHaveArrived?: boolean | undefined
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

/** Null for new resources. Calls without a body have the version in the query. */
export function versionOf({ input }: Pick<QueuedWrite, 'input'>): number | null {
  const { version } = { ...(input.query as Body | undefined), ...(input.body as Body | undefined) } as ServerVersion
  return version ?? null
}

export const withVersion = <W extends Pick<QueuedWrite, 'input'>>(write: W, version: number): W =>
  write.input.body
    ? withBody(write, { version })
    : { ...write, input: { ...write.input, query: { ...(write.input.query as Body), version } } }

const target = ({ call, input }: Pick<QueuedWrite, 'call' | 'input'>): string => addressOf(call, { params: input.params })

function made(write: QueuedWrite): string[] {
  if (write.call.method !== 'POST') return []
  const body = bodyOf(write)
  return [body, ...Object.values(body).flat()].flatMap((part) => {
    const id = (part as { id?: unknown } | null)?.id
    return typeof id === 'string' ? [id] : []
  })
}

/** True if `write` uses a resource that `other` creates and that it doesn't create itself. */
function uses(write: QueuedWrite, other: QueuedWrite): boolean {
  const ids = made(other)
  if (ids.length === 0 || made(write).some((id) => ids.includes(id))) return false
  const input = JSON.stringify(write.input)
  return ids.some((id) => input.includes(id))
}

/**
 * True if `write` must wait for `other`: it uses a resource that `other` creates, or is a later change of the same resource. The order
 * matters only for changes, because refused items of a list are queued again behind the entries that use them.
 */
const dependsOn = (write: QueuedWrite, other: QueuedWrite): boolean =>
  uses(write, other) || (other.seq < write.seq && other.call.method !== 'POST' && target(write).startsWith(target(other)))

/** Leaves out the write, and those that use what it would have created, because the server would refuse them. */
function withoutCreation(writes: readonly QueuedWrite[], write: QueuedWrite): QueuedWrite[] {
  const rest = writes.filter((each) => each !== write)
  return rest.filter((each) => uses(each, write)).reduce(withoutCreation, rest)
}

/**
 * Finds the first write that can be sent now. An entry delays the writes that depend on it. One that just failed on the server
 * delays its whole lane, so a hunt's writes arrive in order.
 * @param writes in the order written
 * @returns the write, or when to check again (null: nothing will change by itself)
 */
function nextWrite(writes: readonly QueuedWrite[], now: number): { write: QueuedWrite } | { write: null; wakeAt: number | null } {
  const waitingLanes = new Set<string>()
  let wakeAt: number | null = null
  for (const write of writes) {
    const isBehind = waitingLanes.has(write.lane) || writes.some((other) => other !== write && dependsOn(write, other))
    if (!write.hold && !isBehind) {
      if (write.retryAt <= now) return { write }
      waitingLanes.add(write.lane)
      wakeAt = Math.min(wakeAt ?? write.retryAt, write.retryAt)
    }
  }
  return { write: null, wakeAt }
}

/** Moves later writes based on the same version to the response's version. Otherwise, people would conflict with their own changes. */
function afterArrival(writes: readonly QueuedWrite[], arrived: QueuedWrite, answer: unknown): QueuedWrite[] {
  const version = (answer as ServerVersion | null | undefined)?.version
  const rest = writes.filter(({ id }) => id !== arrived.id)
  const before = versionOf(arrived)
  if (version === undefined || before === null) return rest
  return rest.map((write) =>
    target(write) === target(arrived) && versionOf(write) === before && !write.hold ? withVersion(write, version) : write,
  )
}
