import http from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { livePath } from '#contracts/live.ts'
import type { Config } from '#server/config.ts'
import { AppError } from '#server/kernel/errors.ts'
import { metricsPath } from './metrics.ts'

const retryAfterSeconds = 2
/** In ms. Requests that can't get a slot are refused well within the 200 ms in which a refusal is useful. */
const maxWaitMs = 125
/** A short burst may fill the queue. Under sustained load, requests too far back in the queue are refused immediately. */
const maxWaiting = 1_000
/** After this many ms without a refusal, the load no longer counts as sustained. */
const calmMs = 1_000
const minRoom = 8
const checkIntervalMs = 25
/** How often Node checks for requests that take too long to arrive. */
const connectionCheckIntervalMs = 2_000
const eventLoop = { resolutionMs: 10, lookEveryMs: 500 }

/**
 * - `first`: sign-in and session calls, which have priority in `main` and a few slots of their own
 * - `outside`: calls that wait for storage, payment providers or language models, so a hanging service takes no slots from others
 * - `main`: all other work
 */
type LaneName = 'first' | 'outside' | 'main'

const firstPaths = /^\/(auth|api\/(auth|login|logout|sign-in|second-factor))\b/
const outsidePaths = /^\/(media|map\.pmtiles|api\/(media|ai|billing))\b/
/** Health checks must work under overload, and a page breaks without its assets, which browsers don't retry. */
const freePaths = /^\/(healthz$|readyz$|assets\/|icons\/|offline|sw\.js|favicon\.svg|manifest\.webmanifest)/

function laneOf(url: string): LaneName | null {
  if (url.startsWith('/api/')) {
    if (firstPaths.test(url)) return 'first'
    if (outsidePaths.test(url)) return 'outside'
    // Streams are long but idle. The live hub limits their number.
    return url === livePath ? null : 'main'
  }
  if (url === metricsPath || freePaths.test(url)) return null
  return outsidePaths.test(url) ? 'outside' : firstPaths.test(url) ? 'first' : 'main'
}

/** A subclass, because replacing a method on every response takes longer. */
class GuardedResponse extends http.ServerResponse {
  release: (() => void) | undefined
  // The work is done when the response starts. The rest depends on how fast the client reads.
  override writeHead(...args: never[]): this {
    this.release?.()
    return super.writeHead(...(args as [never, never]))
  }
}
function release(this: GuardedResponse): void {
  this.release?.()
}

type Handle = http.RequestListener<typeof http.IncomingMessage, typeof GuardedResponse>

type WaitingRequest = { request: http.IncomingMessage; response: GuardedResponse; since: number }
type Lane = {
  name: LaneName
  places: number
  inFlight: number
  waiting: WaitingRequest[]
  room: number
  /** Requests completed since each recent check of the queue, latest first. */
  done: { since: number; count: number }[]
  refusedAt: number
}

export type OverloadGuard = {
  /** Passed to Fastify. The guard runs before the framework, which never sees refused requests. */
  serverFactory(handle: http.RequestListener, times: { keepAliveTimeout?: number; requestTimeout?: number }): http.Server
  /** HTML to send instead of a page. */
  setBusyPage(html: string): void
  stop(): void
}

/**
 * Limits the number of concurrent requests. Others wait in order for a short time and are then refused with 503 and Retry-After, because a
 * server that accepts everything responds to nothing in time.
 */
export function createOverloadGuard(
  { maxRequestsInFlight, maxEventLoopDelayMs }: Pick<Config, 'maxRequestsInFlight' | 'maxEventLoopDelayMs'>,
  onRefused: (lane: LaneName) => void = () => {},
): OverloadGuard {
  const lane = (name: LaneName, places: number): Lane => ({
    name,
    places,
    inFlight: 0,
    waiting: [],
    room: maxWaiting,
    done: [],
    refusedAt: Number.NEGATIVE_INFINITY,
  })
  const isBounded = maxRequestsInFlight > 0
  const lanes = {
    first: lane('first', isBounded ? Math.max(4, Math.ceil(maxRequestsInFlight / 8)) : Number.POSITIVE_INFINITY),
    outside: lane('outside', isBounded ? Math.max(4, Math.ceil(maxRequestsInFlight / 2)) : Number.POSITIVE_INFINITY),
    main: lane('main', isBounded ? maxRequestsInFlight : Number.POSITIVE_INFINITY),
  }
  const refuse = createRefusal(onRefused)
  const loop = watchEventLoop(maxEventLoopDelayMs)
  let handle: Handle = () => {}
  let timer: NodeJS.Timeout | undefined

  /** Takes a slot in the lane. The slot is released exactly once: when the response starts or closes, or when a body arrives slowly. */
  function start(lane: Lane, request: http.IncomingMessage, response: GuardedResponse): void {
    lane.inFlight++
    response.release = () => {
      response.release = undefined
      lane.inFlight--
      if (lane.done[0]) lane.done[0].count++
      next(lane)
    }
    response.on('close', release)
    // A body that arrives slowly needs no slot.
    if (hasBody(request)) setImmediate(() => request.complete || response.release?.())
    handle(request, response)
  }

  function next(lane: Lane): void {
    while (lane.inFlight < lane.places) {
      const waiting = (lane === lanes.main ? lanes.first.waiting.shift() : undefined) ?? lane.waiting.shift()
      if (!waiting) return
      if (!waiting.response.destroyed) start(lane, waiting.request, waiting.response)
    }
  }

  function checkQueues(): void {
    const now = performance.now()
    for (const lane of Object.values(lanes)) updateRoom(lane, now)
    // If the process itself was late, slots may already be free: Node handles finished requests before it runs this.
    setImmediate(refuseExpired, now)
    if (Object.values(lanes).some(({ waiting, refusedAt }) => waiting.length > 0 || now - refusedAt < calmMs)) return
    clearInterval(timer)
    timer = undefined
  }

  function startChecking(now: number): void {
    for (const lane of Object.values(lanes)) Object.assign(lane, { room: maxWaiting, done: [{ since: now, count: 0 }] })
    timer = setInterval(checkQueues, checkIntervalMs).unref()
  }

  function refuseExpired(now: number): void {
    for (const lane of Object.values(lanes)) {
      const inTime = lane.waiting.findIndex(({ since }) => now - since <= maxWaitMs)
      const late = lane.waiting.splice(0, inTime < 0 ? lane.waiting.length : inTime)
      for (const { request, response } of late) refuse(lane.name, request, response)
      if (late.length > 0) lane.refusedAt = now
    }
  }

  /** Limits the queue to what can currently complete within the maximum wait. Measures the time, because a busy process checks late. */
  function updateRoom(lane: Lane, now: number): void {
    const enough = lane.done.findIndex(({ since }) => now - since >= maxWaitMs)
    if (enough >= 0) lane.done.length = enough + 1
    // Without a queue, the number of completed requests doesn't reveal the capacity.
    if (enough >= 0 && lane.waiting.length > 0) {
      const completed = lane.done.reduce((sum, { count }) => sum + count, 0)
      lane.room = Math.max(minRoom, Math.round((completed * maxWaitMs) / (now - (lane.done[enough]?.since ?? now))))
    }
    lane.done.unshift({ since: now, count: 0 })
  }

  const admit: Handle = (request, response) => {
    const name = laneOf(request.url ?? '')
    if (name === null) return handle(request, response)
    const lane = lanes[name]
    if (loop.isBehind && name !== 'first') return refuse(name, request, response)
    if (name === 'first' && lanes.main.inFlight < lanes.main.places) return start(lanes.main, request, response)
    if (lane.inFlight < lane.places) return start(lane, request, response)
    const now = performance.now()
    if (!timer) startChecking(now)
    if (lane.waiting.length < lane.room) lane.waiting.push({ request, response, since: now })
    else {
      lane.refusedAt = now
      refuse(name, request, response)
    }
  }

  return {
    serverFactory(handler, times) {
      handle = handler
      const options = { ...definedOf(times), connectionsCheckingInterval: connectionCheckIntervalMs, ServerResponse: GuardedResponse }
      const server = http.createServer(options, admit)
      return server.once('listening', loop.start)
    },
    setBusyPage: refuse.setPage,
    stop() {
      clearInterval(timer)
      loop.stop()
    },
  }
}

/** Omits undefined options, which Fastify would pass on as they are. */
const definedOf = ({ keepAliveTimeout, requestTimeout }: { keepAliveTimeout?: number; requestTimeout?: number }) => ({
  ...(keepAliveTimeout !== undefined && { keepAliveTimeout }),
  ...(requestTimeout !== undefined && { requestTimeout }),
})

const hasBody = ({ headers }: http.IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Built once, because a refusal must cost almost nothing. Only page requests get HTML. */
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

/** Detects a delayed event loop, in which requests wait without being counted. */
function watchEventLoop(maxDelayMs: number): { isBehind: boolean; start(): void; stop(): void } {
  const histogram = monitorEventLoopDelay({ resolution: eventLoop.resolutionMs })
  let timer: NodeJS.Timeout | undefined
  const state = {
    isBehind: false,
    /** Call when requests can arrive. Delays before that affect no one. */
    start() {
      if (maxDelayMs === 0) return
      histogram.enable()
      timer = setInterval(() => {
        // NaN: the loop didn't complete a single turn.
        const delay = histogram.mean / 1e6 - eventLoop.resolutionMs
        state.isBehind = Number.isNaN(delay) || delay > maxDelayMs
        histogram.reset()
      }, eventLoop.lookEveryMs).unref()
    },
    stop() {
      clearInterval(timer)
      histogram.disable()
    },
  }
  return state
}
