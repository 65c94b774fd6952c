import http from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { livePath } from '../../contracts/live.ts'
import type { Config } from '../config.ts'
import { AppError } from '../kernel/errors.ts'
import { metricsPath } from './metrics.ts'

const retryAfterSeconds = 2
/** A request waits at most this long for a place, and is refused well within the 200 ms in which a refusal is of use. */
const maxWaitMs = 125
/** In a rush of a moment all may wait; when it lasts, those behind whom too many wait already are refused at once. */
const maxWaiting = 1_000
const minRoom = 8
const lookEveryMs = 25
const looksOfWait = maxWaitMs / lookEveryMs
/** Node ends requests that take too long to arrive only when it looks. */
const connectionsLookEveryMs = 2_000
const eventLoop = { resolutionMs: 10, lookEveryMs: 500 }

/**
 * - `first`: signing in, and who is there: they come first everywhere, and have a few places of their own when the others are taken
 * - `outside`: what waits for a storage, a payment provider or a language model, so that one of these that hangs takes no place from others
 * - `main`: everything else that does work
 */
type LaneName = 'first' | 'outside' | 'main'

const firstPaths = /^\/(auth|api\/(auth|login|logout|sign-in|second-factor))\b/
const outsidePaths = /^\/(media|map\.pmtiles|api\/(media|ai|billing))\b/
/** Health must be told when there is none. A browser doesn't ask again for a refused part of a page that has come, and the page stays dead. */
const freePaths = /^\/(healthz$|readyz$|assets\/|icons\/|offline|sw\.js|favicon\.svg|manifest\.webmanifest)/

function laneOf(url: string): LaneName | null {
  if (url.startsWith('/api/')) {
    if (firstPaths.test(url)) return 'first'
    if (outsidePaths.test(url)) return 'outside'
    // A stream is meant to last, and does nothing meanwhile. How many there may be is for its hub.
    return url === livePath ? null : 'main'
  }
  if (url === metricsPath || freePaths.test(url)) return null
  return outsidePaths.test(url) ? 'outside' : firstPaths.test(url) ? 'first' : 'main'
}

type Waiting = { request: http.IncomingMessage; response: http.ServerResponse; since: number; isLate: boolean }
type Lane = {
  name: LaneName
  places: number
  inFlight: number
  waiting: Waiting[]
  /** How many may wait. */
  room: number
  /** Requests that were done since each of the last looks, the latest first. */
  done: number[]
}

export type OverloadGuard = {
  /** Fastify's: the guard stands before the framework, which has not even seen a refused request. */
  serverFactory(handle: http.RequestListener, times: { keepAliveTimeout?: number; requestTimeout?: number }): http.Server
  /** What a person sees instead of a page. */
  setBusyPage(html: string): void
  stop(): void
}

/**
 * Bounds the requests that are worked on at the same time. The others wait in order for a short time, and are then refused with a 503 that
 * says when to come back: a server that takes everything answers nothing in time.
 */
export function createOverloadGuard(
  { maxRequestsInFlight, maxEventLoopDelayMs }: Pick<Config, 'maxRequestsInFlight' | 'maxEventLoopDelayMs'>,
  onRefused: (lane: LaneName) => void = () => {},
): OverloadGuard {
  const lane = (name: LaneName, places: number): Lane => ({ name, places, inFlight: 0, waiting: [], room: maxWaiting, done: [0] })
  const isBounded = maxRequestsInFlight > 0
  const lanes = {
    first: lane('first', isBounded ? Math.max(4, Math.ceil(maxRequestsInFlight / 8)) : Number.POSITIVE_INFINITY),
    outside: lane('outside', isBounded ? Math.max(4, Math.ceil(maxRequestsInFlight / 2)) : Number.POSITIVE_INFINITY),
    main: lane('main', isBounded ? maxRequestsInFlight : Number.POSITIVE_INFINITY),
  }
  const refuse = createRefusal(onRefused)
  const loop = watchEventLoop(maxEventLoopDelayMs)
  let handle: http.RequestListener = () => {}
  let timer: NodeJS.Timeout | undefined

  /** Takes a place of the lane, which is given back once. */
  function start(lane: Lane, request: http.IncomingMessage, response: http.ServerResponse): void {
    lane.inFlight++
    let isInside = true
    const leave = () => {
      if (!isInside) return
      isInside = false
      lane.inFlight--
      lane.done[0] = (lane.done[0] ?? 0) + 1
      next(lane)
    }
    // The work is done when the answer begins; how fast it is read is the reader's matter.
    const { writeHead } = response
    response.writeHead = function (this: http.ServerResponse, ...args: never[]) {
      leave()
      return (writeHead as (...all: never[]) => http.ServerResponse).apply(this, args)
    } as typeof writeHead
    response.once('close', leave)
    // A body that trickles in needs no place.
    if (hasBody(request)) setImmediate(() => request.complete || leave())
    handle(request, response)
  }

  /** Places of the main lane are for those who come first, too. */
  function next(lane: Lane): void {
    while (lane.inFlight < lane.places) {
      const waiting = (lane === lanes.main ? lanes.first.waiting.shift() : undefined) ?? lane.waiting.shift()
      if (!waiting) return
      if (!waiting.response.destroyed) start(lane, waiting.request, waiting.response)
    }
  }

  function refuseLate(): void {
    const now = performance.now()
    let areSome = false
    for (const lane of Object.values(lanes)) {
      // At the second look: when the process itself was held up, places may be free at once.
      const late = lane.waiting.findIndex(({ isLate }) => !isLate)
      for (const { request, response } of lane.waiting.splice(0, late < 0 ? lane.waiting.length : late))
        refuse(lane.name, request, response)
      for (const waiting of lane.waiting) {
        if (now - waiting.since <= maxWaitMs) break
        waiting.isLate = true
      }
      lookAhead(lane)
      areSome ||= lane.waiting.length > 0
    }
    if (areSome) return
    clearInterval(timer)
    timer = undefined
  }

  /** No more may wait than were done lately in the time for which one waits. */
  function lookAhead(lane: Lane): void {
    if (lane.waiting.length === 0) {
      lane.room = maxWaiting
      lane.done = [0]
      return
    }
    if (lane.done.length > looksOfWait) {
      lane.done.pop()
      lane.room = Math.max(
        minRoom,
        lane.done.reduce((sum, done) => sum + done, 0),
      )
    }
    lane.done.unshift(0)
  }

  const admit: http.RequestListener = (request, response) => {
    const name = laneOf(request.url ?? '')
    if (name === null) return handle(request, response)
    const lane = lanes[name]
    if (loop.isBehind && name !== 'first') return refuse(name, request, response)
    if (name === 'first' && lanes.main.inFlight < lanes.main.places) return start(lanes.main, request, response)
    if (lane.inFlight < lane.places) return start(lane, request, response)
    if (lane.waiting.length >= lane.room) return refuse(name, request, response)
    lane.waiting.push({ request, response, since: performance.now(), isLate: false })
    timer ??= setInterval(refuseLate, lookEveryMs).unref()
  }

  return {
    serverFactory(handler, times) {
      handle = handler
      return http.createServer({ ...definedOf(times), connectionsCheckingInterval: connectionsLookEveryMs }, admit)
    },
    setBusyPage: refuse.setPage,
    stop() {
      clearInterval(timer)
      loop.stop()
    },
  }
}

/** Fastify passes all of its options. */
const definedOf = ({ keepAliveTimeout, requestTimeout }: { keepAliveTimeout?: number; requestTimeout?: number }) => ({
  ...(keepAliveTimeout !== undefined && { keepAliveTimeout }),
  ...(requestTimeout !== undefined && { requestTimeout }),
})

const hasBody = ({ headers }: http.IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Made once: refusing must cost next to nothing. A page is for those who ask for one. */
function createRefusal(onRefused: (lane: LaneName) => void) {
  const error = new AppError('unavailable', { retryAfterSeconds })
  const answer = (type: string, body: string) => ({
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'retry-after': String(retryAfterSeconds),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'",
    },
    body,
  })
  const json = answer('application/json', JSON.stringify(error.toAnswer()))
  let page = answer('text/html', error.message)
  const refuse = (lane: LaneName, request: http.IncomingMessage, response: http.ServerResponse): void => {
    onRefused(lane)
    if (response.destroyed) return
    const isPage = !request.url?.startsWith('/api/') && request.headers.accept?.includes('text/html')
    const { headers, body } = isPage ? page : json
    response.writeHead(503, headers).end(body)
  }
  return Object.assign(refuse, {
    setPage(html: string) {
      page = answer('text/html', html)
    },
  })
}

/** Whether the event loop was too far behind lately: what waits there has no place that could be counted. */
function watchEventLoop(maxDelayMs: number): { isBehind: boolean; stop(): void } {
  const state = { isBehind: false, stop() {} }
  if (maxDelayMs === 0) return state
  const histogram = monitorEventLoopDelay({ resolution: eventLoop.resolutionMs })
  histogram.enable()
  const timer = setInterval(() => {
    // Not a number: the loop did not come round once.
    const delay = histogram.mean / 1e6 - eventLoop.resolutionMs
    state.isBehind = Number.isNaN(delay) || delay > maxDelayMs
    histogram.reset()
  }, eventLoop.lookEveryMs).unref()
  state.stop = () => {
    clearInterval(timer)
    histogram.disable()
  }
  return state
}
