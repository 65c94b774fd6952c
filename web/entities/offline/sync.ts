import type { CurrentUser } from '#contracts/accounts.ts'
import { getCurrentUser } from '#contracts/calls/accounts.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { createListeners } from '#web/lib/store.ts'
import { cachedSinceStore, isShowingCached, refreshCached } from './cache-offline.ts'
import { outboxDb } from './offline-db.ts'
import { createOutbox, type Outbox, type QueuedWrite } from './outbox.ts'
import { accountConfirmed, type Connectivity, connectivity } from './reach.ts'
import { answerMs, type Sender, sendPhoto, sendWrite } from './send-write.ts'
import { isCachingFor, isServedFromCache } from './shell.ts'

export type SyncState = {
  /** Null until {@link startSync} has started the outbox. */
  account: string | null
  waiting: readonly QueuedWrite[]
  /** Sent, but not yet in the refetched lists. */
  arrived: readonly QueuedWrite[]
  sendingId: string | null
  /** The session ended or changed accounts. Sending resumes once the author signs in again. */
  isSignedOut: boolean
}

const firstProbe = 4_000
const maxProbeMs = 60_000
const probeMs = 6_000
/** Once a series of writes pauses for this long, or every half minute during it, their lists are refetched. In milliseconds. */
const pauseMs = 5_000
const maxPostponedMs = 30_000
/** In milliseconds. Another tab that has been offline sends many entries at once. */
const gatheringMs = 1_000

let state: SyncState = { account: null, waiting: [], arrived: [], sendingId: null, isSignedOut: false }
let outbox: Outbox | null = null
let timer: ReturnType<typeof setTimeout> | undefined
let failedProbes = 0
const { notify, subscribe } = createListeners()

export const syncStore = { get: (): SyncState => state, subscribe }

function set(changes: Partial<SyncState>): void {
  state = { ...state, ...changes }
  notify()
}

const others = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('outbox')

let reads = 0
let newestRead = 0

async function readWaiting(): Promise<void> {
  const reading = outbox
  const turn = ++reads
  const waiting = reading ? await reading.read().catch(() => null) : []
  // Ignore this read if one that began later ended earlier, because that one has newer data.
  if (waiting === null || reading !== outbox || turn < newestRead) return
  newestRead = turn
  showWaiting(waiting)
}

/** If an entry arrived after `waiting` was read, it must remain in `arrived` until the lists show it. */
function showWaiting(waiting: readonly QueuedWrite[]): void {
  const ids = new Set(state.arrived.map(({ id }) => id))
  set({ waiting: waiting.filter(({ id }) => !ids.has(id)) })
}

/** Sends the account's pending writes while the page is open. Idempotent. */
export async function startSync(account: string): Promise<Outbox> {
  if (outbox && state.account === account) return outbox
  const own: Outbox = createOutbox({
    account,
    store: outboxDb,
    alone: runExclusive,
    now: Date.now,
    send: async (write, update) => {
      // Another account has signed in and must not send this.
      if (own !== outbox) return { kind: 'signed out' }
      set({ sendingId: write.id })
      try {
        return await sendWrite(write, update, { ...senderOf(account), file: outboxDb.file })
      } finally {
        set({ sendingId: null })
      }
    },
    onChange: () => {
      others?.postMessage(null)
      return readWaiting()
    },
    onArrived: (write) => {
      others?.postMessage(write.refreshes)
      set({ arrived: [...state.arrived, write], waiting: state.waiting.filter(({ id }) => id !== write.id) })
    },
  })
  outbox = own
  refetched = []
  refetchedAt = Number.NEGATIVE_INFINITY
  set({ account, waiting: [], arrived: [], isSignedOut: false })
  listenOnce()
  await readWaiting()
  void sync()
  return own
}

/** Screens without a GrowingBar start the outbox with their first entry. */
export function requireOutbox(): Outbox {
  if (!outbox) {
    const account = queryClient.getQueryData<CurrentUser | null>([getCurrentUser.path])?.id
    if (account) void startSync(account).catch(() => undefined)
  }
  if (!outbox) throw new Error('Sign in first. Entries are saved to your account.')
  return outbox
}

/**
 * The device can't store this write, so the person waits until it is sent.
 * @throws the storage error, or the server's refusal
 */
export async function sendImmediately(write: QueuedWrite, files: ReadonlyMap<string, Blob>, notStored: Error): Promise<void> {
  const file = async (key: string) => files.get(key) ?? null
  const outcome = await sendWrite(write, async () => {}, { ...senderOf(write.account), file })
  if (outcome.kind !== 'arrived') throw 'message' in outcome ? new Error(outcome.message) : notStored
  await refresh(write.refreshes).catch(() => undefined)
}

/** Sends on behalf of this account. The server refuses if another account has signed in since. */
const senderOf = (account: string): Pick<Sender, 'call' | 'upload'> => ({
  call: (endpoint, input) => call(endpoint, input as never, { signal: AbortSignal.timeout(answerMs), account }),
  upload: sendPhoto(account),
})

let isListening = false
function listenOnce(): void {
  if (isListening) return
  isListening = true
  addEventListener('online', () => void syncNow())
  addEventListener('offline', () => connectivity.set('offline'))
  document.addEventListener('visibilitychange', () => {
    // The browser may end a hidden page. Offline, the next page would show the lists as stored before the postponed refetch.
    if (document.visibilityState !== 'visible') return postponedAt === null ? undefined : refetchPostponed()
    if (connectivity.get() === 'offline' || state.waiting.length > 0) void syncNow()
    refreshFromElsewhere([])
  })
  connectivity.subscribe(() => {
    // If a list or an entry keeps failing although the server is back, retrying without a pause would never end. A sync in progress sends
    // the entries anyway.
    if (connectivity.get() === 'online') void refreshCached().then(() => (connectivity.get() === 'online' && !running ? sync() : undefined))
    else scheduleSync(firstProbe)
  })
  cachedSinceStore.subscribe(forgetListed)
  others?.addEventListener('message', ({ data }: MessageEvent<readonly string[] | null>) => {
    if (data) refreshFromElsewhere(data)
    void readWaiting()
  })
}

/** Fetches the signed-in person from the server, which is also the only reliable connectivity check. */
async function probe(): Promise<'here' | 'elsewhere' | 'unreachable'> {
  try {
    const user: CurrentUser = await call(getCurrentUser, {}, { signal: AbortSignal.timeout(probeMs) })
    const isHere = user.id === state.account
    // A page served by the service worker has an old and partial copy of the account.
    if (isHere && isServedFromCache() && !isCachingFor(user.id)) queryClient.setQueryData([getCurrentUser.path], user)
    accountConfirmed.notify(user.id)
    return isHere ? 'here' : 'elsewhere'
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === null || error.status >= 500) return 'unreachable'
    return error.status === 401 ? 'elsewhere' : 'here'
  }
}

function scheduleSync(afterMs: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => void sync(), afterMs)
}

const probeAgain = () => scheduleSync(Math.min(maxProbeMs, firstProbe * 2 ** failedProbes++) * (0.75 + Math.random() / 2))

let running: Promise<void> | null = null
let isSyncRequested = false

/**
 * Sends everything possible. Calling this during a sync triggers another pass. Resolves once lists are refetched, unless that waits for a
 * series to pause.
 */
export function sync(): Promise<void> {
  isSyncRequested = true
  running ??= syncUntilQuiet()
  return running.then(() => refetching ?? undefined)
}

/** Doesn't wait for retry delays. */
export async function syncNow(): Promise<void> {
  failedProbes = 0
  await outbox?.hurry().catch(() => undefined)
  await sync()
}

async function syncUntilQuiet(): Promise<void> {
  try {
    while (isSyncRequested) {
      isSyncRequested = false
      await syncOnce()
    }
  } finally {
    running = null
  }
}

async function syncOnce(): Promise<void> {
  const own = outbox
  if (!own) return
  // Null in browsers that don't allow storage, where nothing can be pending.
  const stored = await own.read().catch(() => null)
  const hasPendingWrites = stored?.some(({ hold }) => !hold) ?? false
  // A page served by the service worker doesn't have a confirmed viewer yet.
  const isKnown = connectivity.get() === 'online' && !(isServedFromCache() && !isCachingFor(own.account))
  if (!hasPendingWrites && isKnown) return
  clearTimeout(timer)
  const seen = await probe()
  if (own !== outbox) return
  set({ isSignedOut: seen === 'elsewhere' })
  connectivity.set(seen === 'unreachable' ? 'offline' : 'online')
  if (seen === 'unreachable') return probeAgain()
  failedProbes = 0
  if (seen === 'elsewhere' || !stored) return
  const { end, wakeAt } = await own.flush()
  if (own !== outbox) return
  if (end === 'unreachable') {
    connectivity.set('offline')
    probeAgain()
  }
  if (end === 'signed out') set({ isSignedOut: true })
  if (wakeAt !== null) scheduleSync(Math.max(0, wakeAt - Date.now()))
  forgetArrived()
}

/** Arrived entries whose lists have been refetched since. */
let refetched: readonly QueuedWrite[] = []

let refetching: Promise<void> | null = null
let refetchedAt = Number.NEGATIVE_INFINITY
let postponed: ReturnType<typeof setTimeout> | undefined
let postponedAt: number | null = null

/** Doesn't delay the next entry. A refetch waits for the previous one, which it would otherwise cancel, and for a series to pause. */
function forgetArrived(): void {
  clearTimeout(postponed)
  if (refetching || state.arrived.length === 0) return
  const now = Date.now()
  const canWait = state.arrived.every(({ inSeries }) => inSeries) && (postponedAt !== null || now - refetchedAt < pauseMs)
  if (!canWait) {
    postponedAt = null
    refetching = refetchArrived().finally(() => {
      refetching = null
      refetchedAt = Date.now()
      if (state.arrived.some((write) => !refetched.includes(write))) forgetArrived()
    })
    return
  }
  postponedAt ??= now
  postponed = setTimeout(refetchPostponed, Math.max(0, Math.min(pauseMs, postponedAt + maxPostponedMs - now)))
  // A screen that opens in the meantime refetches them itself.
  void refresh(refreshesOf(state.arrived), 'none')
}

function refetchPostponed(): void {
  postponedAt = null
  refetchedAt = Number.NEGATIVE_INFINITY
  forgetArrived()
}

async function refetchArrived(): Promise<void> {
  const { arrived } = state
  await refresh(refreshesOf(arrived)).catch(() => undefined)
  refetched = state.arrived.filter((write) => arrived.includes(write) || refetched.includes(write))
  forgetListed()
}

const refreshesOf = (writes: readonly QueuedWrite[]) => writes.flatMap(({ refreshes }) => refreshes)

/** If the connection is slow or was lost again, the lists still show stored responses without the entries. */
function forgetListed(): void {
  const unlisted = refetched.filter(({ refreshes }) => isShowingCached(refreshes))
  if (unlisted.length === refetched.length) return
  const arrived = state.arrived.filter((write) => !refetched.includes(write) || unlisted.includes(write))
  refetched = unlisted
  set({ arrived })
}

/** Refetches visible queries under these paths, unless `refetchType` is none, and invalidates the others. */
export const refresh = (paths: readonly string[], refetchType: 'active' | 'none' = 'active'): Promise<void> =>
  queryClient.invalidateQueries({ refetchType, predicate: ({ queryKey: [path] }) => paths.some((each) => String(path).startsWith(each)) })

const changedElsewhere = new Set<string>()
let gathering: ReturnType<typeof setTimeout> | undefined

/** For entries that another tab has sent. A hidden tab waits until it's shown. */
function refreshFromElsewhere(paths: readonly string[]): void {
  for (const path of paths) changedElsewhere.add(path)
  if (changedElsewhere.size === 0 || document.visibilityState === 'hidden') return
  if (gathering !== undefined) return
  gathering = setTimeout(() => {
    gathering = undefined
    void refresh([...changedElsewhere])
    changedElsewhere.clear()
  }, gatheringMs)
}

let last: Promise<unknown> = Promise.resolve()

function runExclusiveInTab<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work, work)
  last = result.catch(() => undefined)
  return result
}

/**
 * Serializes work across all tabs if the browser has the Web Locks API (secure origins only). Otherwise, two tabs may send the same entry,
 * which the server deduplicates by ID.
 */
function runExclusive<T>(work: () => Promise<T>): Promise<T> {
  const { locks } = navigator as { locks?: LockManager }
  return locks ? (locks.request('outbox', work) as Promise<T>) : runExclusiveInTab(work)
}

export type SyncStatus = {
  kind: 'needs you' | 'offline' | 'waiting' | 'synced'
  text: string
  sentence: string
}

const entries = (count: number) => counted(count, 'entry', 'entries')

export function statusOf({ waiting, isSignedOut }: Pick<SyncState, 'waiting' | 'isSignedOut'>, reach: Connectivity): SyncStatus {
  const held = waiting.filter(({ hold }) => hold !== null).length
  const rest = waiting.length - held
  if (held > 0) {
    const others = rest > 0 ? ` ${rest} more ${rest === 1 ? 'entry is' : 'entries are'} waiting to sync.` : ''
    return {
      kind: 'needs you',
      text: held === 1 ? 'Needs attention' : `${held} need attention`,
      sentence: `${entries(held)} ${held === 1 ? 'needs' : 'need'} your attention.${others}`,
    }
  }
  if (isSignedOut && rest > 0) {
    return {
      kind: 'needs you',
      text: 'Sign in to sync',
      sentence: `${entries(rest)} ${rest === 1 ? 'is' : 'are'} waiting until you sign in again.`,
    }
  }
  if (reach === 'offline') {
    const text = rest > 0 ? `Offline, ${rest} waiting` : 'Offline'
    const what =
      rest > 0
        ? `${entries(rest)} ${rest === 1 ? 'is' : 'are'} waiting on this device for a connection.`
        : 'New entries are saved on this device.'
    return { kind: 'offline', text, sentence: `Offline. ${what}` }
  }
  if (rest > 0) return { kind: 'waiting', text: `${rest} waiting`, sentence: `Sending ${entries(rest)}.` }
  return { kind: 'synced', text: 'Synced', sentence: 'Everything is synced.' }
}

/** "Offline. Last updated 2 hours ago." */
export const readAgo = (ago: string, reach: Connectivity): string =>
  reach === 'offline' ? `Offline. Last updated ${ago}.` : `Last updated ${ago}. The server isn’t responding yet.`
