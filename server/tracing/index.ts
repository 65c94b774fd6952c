import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { livePath } from '#contracts/live.ts'
import { release } from '#server/release.ts'

export type TracingSettings = ExporterSettings & { share: number }

type Span = Omit<EndedSpan, 'endedAt' | 'isError'>
export type Tracing = ReturnType<typeof createTracing>

/** Like the wall clock, but monotonic. */
const now = () => performance.timeOrigin + performance.now()

/**
 * Spans for requests, queries, jobs and calls to external services. They contain only names from the code (a route's pattern, a table, a
 * job), never values. Loaded only if a collector is configured. Traces always start here, because trace headers from browsers aren't
 * trusted.
 */
export function createTracing(settings: TracingSettings) {
  const current = new AsyncLocalStorage<Span>()
  const requests = new WeakMap<object, Span>()
  let report: (error: unknown) => void = () => {}
  const exporter = createExporter(settings, (error) => report(error))

  const begin = (name: string, kind: Span['kind'], attributes: Attributes, startedAt = now()): Span => {
    const parent = current.getStore()
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex')
    return { traceId, spanId: randomBytes(8).toString('hex'), parentId: parent?.spanId ?? null, name, kind, startedAt, attributes }
  }
  const end = (span: Span, isError: boolean) => exporter.add({ ...span, endedAt: now(), isError })
  const isChosen = () => settings.share >= 1 || Math.random() < settings.share

  const inSpan = async <Answer>(span: Span, run: () => Promise<Answer>): Promise<Answer> => {
    let isError = true
    try {
      const answer = await current.run(span, run)
      isError = false
      return answer
    } finally {
      end(span, isError)
    }
  }

  return {
    job: (name: string, run: () => Promise<void>): Promise<void> =>
      isChosen() ? inSpan(begin(`job ${name}`, 'consumer', { 'job.name': name }), run) : run(),

    /** Traces a call only within a traced request or job. */
    outside: (service: string, run: () => Promise<unknown>): Promise<unknown> =>
      current.getStore() ? inSpan(begin(`call ${service}`, 'client', { 'peer.service': service }), run) : run(),

    onQuery(text: string, ms: number, isError: boolean): void {
      if (!current.getStore()) return
      const name = statementName(text)
      end(begin(name, 'client', { 'db.system.name': 'postgresql', 'db.query.summary': name }, now() - ms), isError)
    },

    addTo(app: FastifyInstance): void {
      app.addHook('onRequest', (request, reply, done) => {
        const route = request.routeOptions.url ?? 'none'
        if (route === livePath || !isChosen()) return done()
        const attributes: Attributes = { 'http.request.method': request.method, 'http.route': route }
        const span = begin(`${request.method} ${route}`, 'server', attributes)
        requests.set(request.raw, span)
        reply.raw.once('close', () => {
          attributes['http.response.status_code'] = reply.statusCode
          end(span, reply.statusCode >= 500)
        })
        current.run(span, done)
      })
      // The body is read in socket events, which lose the request's async context.
      app.addHook('preValidation', (request, _reply, done) => {
        const span = requests.get(request.raw)
        if (span) current.run(span, done)
        else done()
      })
    },

    logFields(): { traceId?: string } {
      const span = current.getStore()
      return span ? { traceId: span.traceId } : {}
    },

    reportTo(listener: (error: unknown) => void): void {
      report = listener
    },
    stop: () => exporter.stop(),
  }
}

const cache = new LRUCache<string, string>({ max: 3000 })

const target = /\b(?:from|into|update|join)\s+(?:only\s+)?"?([a-z_][\w.]*)"?/i

/** A statement's verb and first table, such as `select posts`. Never contains values. */
export function statementName(text: string): string {
  const known = cache.get(text)
  if (known !== undefined) return known
  const verb = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'query'
  const table = target.exec(text)?.[1]
  const name = table ? `${verb} ${table}` : verb
  cache.set(text, name)
  return name
}

const spanKinds = { internal: 1, server: 2, client: 3, consumer: 5 } as const

type Attributes = Record<string, string | number>

/** Times are ms since 1970, with fractions. */
type EndedSpan = {
  traceId: string
  spanId: string
  parentId: string | null
  name: string
  kind: keyof typeof spanKinds
  startedAt: number
  endedAt: number
  attributes: Attributes
  isError: boolean
}

type ExporterSettings = { url: string; headers: Readonly<Record<string, string>>; serviceName: string; everyMs?: number }

const maxWaiting = 4096
const maxBatchSize = 512
const timeLimitMs = 5_000
/** How long shutdown waits for the last spans, in ms. */
const lastMomentMs = 1_000

/**
 * Sends spans to a collector in batches, by OTLP/HTTP with JSON (opentelemetry.io/docs/specs/otlp). Nothing waits for the collector.
 * Rejected spans are dropped. After one report, further rejections are reported only after the collector has accepted spans again.
 */
function createExporter({ url, headers, serviceName, everyMs = 2_000 }: ExporterSettings, onTrouble: (error: unknown) => void) {
  let waiting: EndedSpan[] = []
  let sending: Promise<void> | undefined
  let isInTrouble = false

  const resource = { attributes: attributesOf({ 'service.name': serviceName, 'service.version': release, 'process.pid': process.pid }) }

  const post = async (spans: readonly EndedSpan[], ms: number) => {
    const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'sungrove' }, spans: spans.map(encoded) }] }] })
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(ms),
      })
      await answer.body?.cancel()
      if (!answer.ok) throw new Error(`the collector responded with ${answer.status}`)
      isInTrouble = false
    } catch (error) {
      if (!isInTrouble) onTrouble(error)
      isInTrouble = true
    }
  }

  const flush = (ms = timeLimitMs): Promise<void> => {
    if (sending || waiting.length === 0) return sending ?? Promise.resolve()
    const batch = waiting.slice(0, maxBatchSize)
    waiting = waiting.slice(maxBatchSize)
    sending = post(batch, ms).finally(() => {
      sending = undefined
    })
    return sending
  }

  const timer = setInterval(() => void flush(), everyMs)
  timer.unref()

  return {
    add(span: EndedSpan): void {
      if (waiting.length < maxWaiting) waiting.push(span)
      if (waiting.length >= maxBatchSize) void flush()
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      const sendAll = async () => {
        while (sending || waiting.length > 0) await flush(lastMomentMs)
      }
      await Promise.race([sendAll(), sleep(lastMomentMs, undefined, { ref: false })])
    },
  }
}

/** Nanoseconds exceed JavaScript's safe integers, so they are sent as text. */
const nanoseconds = (ms: number): string => `${Math.round(ms * 1000)}000`

const encoded = (span: EndedSpan) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentId ? { parentSpanId: span.parentId } : {}),
  name: span.name,
  kind: spanKinds[span.kind],
  startTimeUnixNano: nanoseconds(span.startedAt),
  endTimeUnixNano: nanoseconds(span.endedAt),
  attributes: attributesOf(span.attributes),
  status: span.isError ? { code: 2 } : {},
})

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(Math.round(value)) } : { stringValue: value },
  }))
