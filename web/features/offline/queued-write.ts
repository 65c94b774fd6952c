import type { Method } from '../../../contracts/endpoint.ts'
import { addressOf, type Input } from '../../lib/address.ts'

/** A call as it is kept: what `call()` needs of a declared one, without its schemas. */
export type KeptCall = { method: Method; path: `/api/${string}` }

/** A photo that waits with its entry; the file itself lies beside, under the same key. */
export type QueuedPhoto = {
  /** Also the key of the upload's beginning, so that a lost answer begins nothing twice. */
  key: string
  name: string
  type: string
  size: number
  alt: string
  /** The server's, once it has been begun. */
  uploadId: string | null
}

/**
 * Why an entry is not sent until its person has said something.
 * - `refused`: the server will not take it as it is; `fields` are its words by field
 * - `conflict`: what it changes has been changed elsewhere since; `theirs` is how the server has it now
 */
export type Hold =
  | { kind: 'refused'; message: string; fields: Record<string, string> }
  | { kind: 'conflict'; message: string; theirs: Theirs }

/** The server's present version of a thing. */
export type Theirs = Record<string, unknown> & { version?: number }

/** A write that its person has made and the server may not have yet. */
export type QueuedWrite = {
  /** A UUIDv7 made here. Of something new it is the thing's own id, by which the server knows a repetition. */
  id: string
  /** The account that wrote it: nobody else sees it, and it is never sent as anybody else. */
  account: string
  /** The order in which it was written, on this device. */
  seq: number
  call: KeptCall
  input: Input
  /** What is sent in order: writes of one hunt follow each other, those of different hunts do not wait for each other. */
  lane: string
  /** What it is about, for screens that show what waits: the hunt, the plant. */
  subjects: readonly string[]
  /** What it is, for a person: "Log of #7, week 4". */
  title: string
  /** Names of the body's fields that a person may read and correct, in their order: `{ heightCm: 'Height (cm)' }`. */
  labels: Record<string, string>
  photos: readonly QueuedPhoto[]
  /** The field of the body that takes the ids of the uploaded photos, after those that are in it. */
  photosInto: string
  /** The calls that read and change the thing by its id alone, for when it is in conflict. */
  thing: { id: string; read: KeptCall; change: KeptCall } | null
  /** What is read anew once it has arrived: paths of calls. */
  refreshes: readonly string[]
  createdAt: number
  hold: Hold | null
  /** How often the server has failed over it, and when it is its turn again. */
  failures: number
  retryAt: number
}

export type Body = Record<string, unknown>

export const bodyOf = ({ input }: Pick<QueuedWrite, 'input'>): Body => (input.body ?? {}) as Body

export const withBody = <W extends Pick<QueuedWrite, 'input'>>(write: W, changes: Body): W => ({
  ...write,
  input: { ...write.input, body: { ...bodyOf(write), ...changes } },
})

/** The version that a change was made on; null of what makes something new. A call without a body carries it in its query. */
export function versionOf({ input }: Pick<QueuedWrite, 'input'>): number | null {
  const { version } = { ...(input.query as Body | undefined), ...(input.body as Body | undefined) } as Theirs
  return version ?? null
}

export const withVersion = <W extends Pick<QueuedWrite, 'input'>>(write: W, version: number): W =>
  write.input.body
    ? withBody(write, { version })
    : { ...write, input: { ...write.input, query: { ...(write.input.query as Body), version } } }

const target = ({ call, input }: QueuedWrite): string => addressOf(call, { params: input.params })

/** The ids of what a write makes: one thing, or the rows of a batch. */
function made(write: QueuedWrite): string[] {
  if (write.call.method !== 'POST') return []
  const body = bodyOf(write)
  return [body, ...Object.values(body).flat()].flatMap((part) => {
    const id = (part as { id?: unknown } | null)?.id
    return typeof id === 'string' ? [id] : []
  })
}

/** Whether `later` means something that `earlier` makes, or changes what `earlier` changes. */
export function dependsOn(later: QueuedWrite, earlier: QueuedWrite): boolean {
  const ids = made(earlier)
  const input = ids.length > 0 ? JSON.stringify(later.input) : ''
  return ids.some((id) => input.includes(id)) || (earlier.call.method !== 'POST' && target(later).startsWith(target(earlier)))
}

/**
 * What is to be sent now: the first that nothing holds back. A held entry holds back what depends on it and nothing else; one that the
 * server has just failed over keeps its lane waiting, so that a hunt arrives in its order.
 * @param writes in the order in which they were written
 * @returns the write, or when to look again (null: nothing will change by itself)
 */
export function nextWrite(writes: readonly QueuedWrite[], now: number): { write: QueuedWrite } | { write: null; wakeAt: number | null } {
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
 * The writes that are left when one has arrived. Its answer carries the thing's new version: what else was written here upon the same
 * version follows it, or the person would be in conflict with themselves.
 */
export function afterArrival(writes: readonly QueuedWrite[], arrived: QueuedWrite, answer: unknown): QueuedWrite[] {
  const version = (answer as Theirs | null | undefined)?.version
  const rest = writes.filter(({ id }) => id !== arrived.id)
  const before = versionOf(arrived)
  if (version === undefined || before === null) return rest
  return rest.map((write) =>
    target(write) === target(arrived) && versionOf(write) === before && !write.hold ? withVersion(write, version) : write,
  )
}

/**
 * A held write as its person wants it after all: upon the version of the server, with what they have corrected. Something new whose first
 * sending was answered to nobody, and which was corrected since, is there already: it becomes a change of it.
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
