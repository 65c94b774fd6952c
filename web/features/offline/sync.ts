import type { CurrentUser } from '../../../contracts/accounts.ts'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { currentUserCall } from '../../lib/current-user-call.ts'
import { queryClient } from '../../lib/query-client.ts'
import { alone } from './alone.ts'
import { refreshKept } from './keep-offline.ts'
import { createOutbox, type Outbox } from './outbox.ts'
import { outboxDb } from './outbox-db.ts'
import type { QueuedWrite } from './queued-write.ts'
import { getReach, onReach, reportAccount, reportReach } from './reach.ts'
import { sendPhoto } from './send-photo.ts'
import { type Sender, sendWrite } from './send-write.ts'
import { isFromDevice, isKeeping } from './shell.ts'

/** What the page knows of what waits. */
export type SyncState = {
  /** Whose; null until a growing screen was opened by somebody signed in. */
  account: string | null
  /** Not at the server yet, in the order in which they were written. */
  waiting: readonly QueuedWrite[]
  /** At the server; shown until the lists that have them now have been read anew. */
  arrived: readonly QueuedWrite[]
  sendingId: string | null
  /** The session has ended, or is somebody else's: nothing can be sent before its person signs in again. */
  isSignedOut: boolean
}

const firstProbe = 4_000
const longestProbe = 60_000
const answerMs = 30_000
const probeMs = 6_000

let state: SyncState = { account: null, waiting: [], arrived: [], sendingId: null, isSignedOut: false }
let outbox: Outbox | null = null
let timer: ReturnType<typeof setTimeout> | undefined
let failedProbes = 0
const listeners = new Set<() => void>()

export const getSync = (): SyncState => state
export function onSync(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function set(changes: Partial<SyncState>): void {
  state = { ...state, ...changes }
  for (const listener of listeners) listener()
}

/** Tells other tabs what changed, and hears it of them. */
const others = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('outbox')

async function readWaiting(): Promise<void> {
  const reading = outbox
  const waiting = (await reading?.read()) ?? []
  if (reading !== outbox) return
  const ids = new Set(waiting.map(({ id }) => id))
  set({ waiting, arrived: state.arrived.filter(({ id }) => !ids.has(id)) })
}

/**
 * Begins to send what the account has waiting, and goes on as long as the page is open. Safe to call again.
 * @throws where the browser keeps nothing
 */
export async function startSync(account: string): Promise<Outbox> {
  if (outbox && state.account === account) return outbox
  const own: Outbox = createOutbox({
    account,
    store: outboxDb,
    alone,
    now: Date.now,
    send: async (write, keep) => {
      // Somebody else has signed in meanwhile: nothing may go out in their name.
      if (own !== outbox) return { kind: 'signed out' }
      set({ sendingId: write.id })
      try {
        return await sendWrite(write, keep, { ...senderOf(account), file: outboxDb.file })
      } finally {
        set({ sendingId: null })
      }
    },
    onChange: () => {
      others?.postMessage(null)
      void readWaiting()
    },
    onArrived: (write) => {
      others?.postMessage(write.refreshes)
      set({ arrived: [...state.arrived, write] })
    },
  })
  outbox = own
  set({ account, waiting: [], arrived: [], isSignedOut: false })
  listenOnce()
  await readWaiting()
  void sync()
  return own
}

/** The outbox of whoever is signed in. A screen without a GrowingBar begins it with its first entry. */
export function requireOutbox(): Outbox {
  if (!outbox) {
    const account = queryClient.getQueryData<CurrentUser | null>([currentUserCall.path])?.id
    if (account) void startSync(account).catch(() => undefined)
  }
  if (!outbox) throw new Error('Sign in first: what you write is kept for your account.')
  return outbox
}

/**
 * Sends a write that the device cannot keep, while its person waits.
 * @throws what the device said, or what the server says is wrong with it
 */
export async function sendAtOnce(write: QueuedWrite, files: ReadonlyMap<string, Blob>, notKept: Error): Promise<void> {
  const file = async (key: string) => files.get(key) ?? null
  const outcome = await sendWrite(write, async () => {}, { ...senderOf(write.account), file })
  if (outcome.kind !== 'arrived') throw 'message' in outcome ? new Error(outcome.message) : notKept
  await refresh(write.refreshes).catch(() => undefined)
}

/** Sends in the name of this account to the end, whoever signs in on the way. */
const senderOf = (account: string): Pick<Sender, 'call' | 'upload'> => ({
  call: (endpoint, input) => call(endpoint, input as never, { signal: AbortSignal.timeout(answerMs), account }),
  upload: sendPhoto(account),
})

let isListening = false
function listenOnce(): void {
  if (isListening) return
  isListening = true
  const hurry = () => {
    failedProbes = 0
    void requireOutbox().hurry().then(sync)
  }
  addEventListener('online', hurry)
  addEventListener('offline', () => reportReach('offline'))
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && (getReach() === 'offline' || state.waiting.length > 0)) hurry()
  })
  onReach(() => {
    if (getReach() === 'online') void refreshKept().then(sync)
    else again(firstProbe)
  })
  others?.addEventListener('message', ({ data }: MessageEvent<readonly string[] | null>) => {
    if (data) void refresh(data)
    void readWaiting()
  })
}

/** Who the server says is here. It is also the one way to know whether there is a network. */
async function probe(): Promise<'here' | 'elsewhere' | 'unreachable'> {
  try {
    const user: CurrentUser = await call(currentUserCall, {}, { signal: AbortSignal.timeout(probeMs) })
    const isHere = user.id === state.account
    // A page from the device knows its reader as they were, and not all of them.
    if (isHere && isFromDevice() && !isKeeping(user.id)) queryClient.setQueryData([currentUserCall.path], user)
    reportAccount(user.id)
    return isHere ? 'here' : 'elsewhere'
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === null || error.status >= 500) return 'unreachable'
    return error.status === 401 ? 'elsewhere' : 'here'
  }
}

function again(afterMs: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => void sync(), afterMs)
}

const probeAgain = () => again(Math.min(longestProbe, firstProbe * 2 ** failedProbes++) * (0.75 + Math.random() / 2))

let running: Promise<void> | null = null
let isAsked = false

/** Sends what can be sent now. While that is under way, asking again has it look once more at the end. */
export function sync(): Promise<void> {
  isAsked = true
  running ??= syncUntilQuiet()
  return running
}

async function syncUntilQuiet(): Promise<void> {
  try {
    while (isAsked) {
      isAsked = false
      await syncOnce()
    }
  } finally {
    running = null
  }
}

async function syncOnce(): Promise<void> {
  const own = outbox
  if (!own) return
  const isWorkThere = (await own.read()).some(({ hold }) => !hold)
  // A page from the device does not know yet who is signed in.
  const isKnown = getReach() === 'online' && !(isFromDevice() && !isKeeping(own.account))
  if (!isWorkThere && isKnown) return
  clearTimeout(timer)
  const seen = await probe()
  if (own !== outbox) return
  set({ isSignedOut: seen === 'elsewhere' })
  reportReach(seen === 'unreachable' ? 'offline' : 'online')
  if (seen === 'unreachable') return probeAgain()
  failedProbes = 0
  if (seen === 'elsewhere') return
  const { end, wakeAt } = await own.flush()
  if (own !== outbox) return
  if (end === 'unreachable') {
    reportReach('offline')
    probeAgain()
  }
  if (end === 'signed out') set({ isSignedOut: true })
  if (wakeAt !== null) again(Math.max(0, wakeAt - Date.now()))
  await forgetArrived()
}

/** Once the lists show what has arrived, it need not be shown from here any more. */
async function forgetArrived(): Promise<void> {
  const shown = state.arrived
  if (shown.length === 0) return
  await refresh(shown.flatMap(({ refreshes }) => refreshes)).catch(() => undefined)
  set({ arrived: state.arrived.filter((write) => !shown.includes(write)) })
}

/** Reads anew all calls under these paths that the page shows, and the others when they are shown next. */
const refresh = (paths: readonly string[]): Promise<void> =>
  queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => paths.some((each) => String(path).startsWith(each)) })
