import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { livePath } from '#contracts/live.ts'
import { type Attributes, createExporter, type EndedSpan, type ExporterSettings } from './otlp.ts'

export type TracingSettings = ExporterSettings & { share: number }

type Span = Omit<EndedSpan, 'endedAt' | 'isError'>
export type Tracing = ReturnType<typeof createTracing>

/** Like the wall clock, but monotonic. */
const now = () => performance.timeOrigin + performance.now()

/**
 * Spans for requests, queries, jobs and calls to external services. They contain only our own names (a route's pattern, a table, a
 * job), never values. Loaded only if a collector is configured. Traces always start here; trace headers from browsers aren't trusted.
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

    /** Only within a traced request or job. */
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
