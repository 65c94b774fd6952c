import type { CurrentUser } from '#contracts/accounts.ts'
import { getCurrentUser } from '#contracts/calls/accounts.ts'
import { type LiveEvents, livePath } from '#contracts/live.ts'
import { queryClient } from './query-client.ts'
import { isSuspended } from './route-access.ts'

type Name = keyof LiveEvents
type Listener<N extends Name> = (data: LiveEvents[N]) => void

/** Browser features that tests replace. */
export type LiveHost = {
  open: () => Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>
  /** The server refuses a stream to visitors, and to accounts that are suspended, pending deletion or without a required second factor. */
  mayListen: () => boolean
  onAccount: (listener: () => void) => void
  /** Called when the browser gives up, because the account may no longer be allowed to listen. */
  reloadAccount: () => void
  page: {
    isHidden: () => boolean
    on: (event: 'visibilitychange' | 'pagehide' | 'pageshow' | 'online', listener: () => void) => void
  }
}

/** First and longest delay before reconnecting, in milliseconds. Up to half is randomly subtracted. */
const firstWait = 1_000
const maxWaitMs = 60_000
/** In milliseconds. A page hidden this long closes its connection, because with HTTP/1.1, all tabs of a site share six connections. */
const hiddenFor = 60_000

/** EventSource.CLOSED: the browser has given up and won't reconnect. */
const closed = 2

/**
 * A page has a single stream. Browsers reconnect after a lost connection, but give up if the response isn't a stream (a restart behind a
 * proxy, too many requests). Then this reconnects with increasing, randomized delays.
 */
export function createLiveConnection(host: LiveHost): <N extends Name>(event: N, listener: Listener<N>) => () => void {
  /** Keeps the sets that have become empty, because the stream is still being listened to for their events. */
  const listeners = new Map<Name, Set<Listener<Name>>>()
  let source: ReturnType<LiveHost['open']> | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  let putAway: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isAway = false
  let isEnded = false
  let isWatchingPage = false

  const hasListeners = () => [...listeners.values()].some(({ size }) => size > 0)
  const shouldConnect = () => hasListeners() && !isAway && !isEnded && host.mayListen()

  function connect() {
    clearTimeout(retry)
    retry = undefined
    if (source || !shouldConnect()) return
    const opened = host.open()
    source = opened
    for (const name of listeners.keys()) receive(opened, name)
    opened.addEventListener('ended', () => {
      if (source !== opened) return
      isEnded = true
      disconnect()
    })
    opened.addEventListener('open', () => {
      failures = 0
    })
    opened.addEventListener('error', () => {
      if (opened.readyState !== closed || source !== opened) return
      source = null
      const wait = Math.min(maxWaitMs, firstWait * 2 ** failures)
      retry = setTimeout(connect, wait / 2 + (Math.random() * wait) / 2)
      if (failures++ === 0) host.reloadAccount()
    })
  }

  function receive(opened: NonNullable<typeof source>, name: Name) {
    opened.addEventListener(name, (event: Event) => {
      if (source !== opened) return
      const data = JSON.parse((event as MessageEvent<string>).data)
      for (const listener of listeners.get(name) ?? []) listener(data)
    })
  }

  function disconnect() {
    clearTimeout(retry)
    retry = undefined
    source?.close()
    source = null
  }

  function leave() {
    isAway = true
    disconnect()
  }

  function comeBack() {
    clearTimeout(putAway)
    isAway = false
    isEnded = false
    connect()
  }

  function watchPage() {
    if (isWatchingPage) return
    isWatchingPage = true
    host.page.on('visibilitychange', () => {
      clearTimeout(putAway)
      if (host.page.isHidden()) putAway = setTimeout(leave, hiddenFor)
      else comeBack()
    })
    // The browser's back/forward cache excludes pages with an open stream.
    host.page.on('pagehide', leave)
    host.page.on('pageshow', comeBack)
    host.onAccount(() => {
      isEnded = false
      if (!shouldConnect()) disconnect()
      else if (retry === undefined) connect()
    })
    host.page.on('online', () => {
      failures = 0
      connect()
    })
  }

  return (event, listener) => {
    // Wrap the listener, so the same one can be added twice.
    const own = ((data: LiveEvents[typeof event]) => listener(data)) as Listener<Name>
    const already = listeners.get(event)
    if (already) already.add(own)
    else {
      listeners.set(event, new Set([own]))
      if (source) receive(source, event)
    }
    watchPage()
    connect()
    return () => {
      listeners.get(event)?.delete(own)
      // Another screen may add a listener immediately, so disconnect only if none was added by the end of this task.
      queueMicrotask(() => hasListeners() || disconnect())
    }
  }
}

const account = [getCurrentUser.path]

function mayListen(): boolean {
  const user = queryClient.getQueryData<CurrentUser | null>(account)
  return Boolean(user) && user?.leavesAt === null && user.secondFactor !== 'owed' && !isSuspended(user, Date.now())
}

/**
 * Returns a function that stops listening. The stream opens only while there are listeners and the account may listen. Each connection
 * starts with `hello`, after which listeners that can't miss events must reload their state.
 */
export const onLive = createLiveConnection({
  open: () => new EventSource(livePath),
  mayListen,
  onAccount: (listener) => {
    queryClient.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && query.queryKey[0] === getCurrentUser.path) listener()
    })
  },
  reloadAccount: () => void queryClient.invalidateQueries({ queryKey: account }),
  page: {
    isHidden: () => document.visibilityState === 'hidden',
    on: (event, listener) => (event === 'visibilitychange' ? document : window).addEventListener(event, listener),
  },
})
