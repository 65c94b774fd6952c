import type { LiveEvents } from '../../contracts/live.ts'

type Name = keyof LiveEvents
type Listener<N extends Name> = (data: LiveEvents[N]) => void

/** What is needed of the browser; a test brings its own. */
export type LiveHost = {
  /** Opens a stream of server-sent events. */
  open: () => Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>
  /** Whether there is somebody to tell anything to. */
  isSignedIn: () => boolean
  /** The page: told when it is hidden, shown, put away and brought back, and when there is a network again. */
  page: {
    isHidden: () => boolean
    on: (event: 'visibilitychange' | 'pagehide' | 'pageshow' | 'online', listener: () => void) => void
  }
}

/** The first wait before a connection that was given up is tried again, and the longest, in milliseconds. */
const firstWait = 1_000
const longestWait = 60_000
/** A page hidden for this long lets its connection go: without HTTP/2 a browser has six for all tabs of a site together. */
const hiddenFor = 60_000

/** EventSource.CLOSED: the browser has given up, and will not try again by itself. */
const closed = 2

/**
 * One stream for the whole page, open while somebody listens. The browser itself tries again after a lost connection; where it gives up (an
 * answer that is not a stream: a restart behind a proxy, too many requests), this waits and tries again, ever longer and never all at once.
 */
export function createLiveConnection(host: LiveHost): <N extends Name>(event: N, listener: Listener<N>) => () => void {
  const listeners = new Map<Name, Set<Listener<Name>>>()
  let source: ReturnType<LiveHost['open']> | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  let putAway: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isAway = false
  let isWatchingPage = false

  const isWanted = () => listeners.size > 0 && !isAway && host.isSignedIn()

  function connect() {
    clearTimeout(retry)
    retry = undefined
    if (source || !isWanted()) return
    const opened = host.open()
    source = opened
    for (const name of listeners.keys()) receive(opened, name)
    opened.addEventListener('open', () => {
      failures = 0
    })
    opened.addEventListener('error', () => {
      if (opened.readyState !== closed || source !== opened) return
      source = null
      const wait = Math.min(longestWait, firstWait * 2 ** failures++)
      retry = setTimeout(connect, wait / 2 + (Math.random() * wait) / 2)
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
    // An open stream would keep the page out of the browser's back/forward cache.
    host.page.on('pagehide', leave)
    host.page.on('pageshow', comeBack)
    host.page.on('online', () => {
      failures = 0
      connect()
    })
  }

  return (event, listener) => {
    // A listener of its own, so that the same function may listen twice.
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
      const rest = listeners.get(event)
      if (!rest?.delete(own) || rest.size > 0) return
      listeners.delete(event)
      // Screens come and go; only when nobody has asked again by the end of this turn is the stream let go.
      queueMicrotask(() => listeners.size === 0 && disconnect())
    }
  }
}
