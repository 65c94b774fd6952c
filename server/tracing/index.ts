import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { livePath } from '../../contracts/live.ts'
import { type Attributes, createExporter, type EndedSpan, type ExporterSettings } from './otlp.ts'
import { statementName } from './statement-name.ts'

export type TracingSettings = ExporterSettings & { share: number }

type Span = Omit<EndedSpan, 'endedAt' | 'isError'>
export type Tracing = ReturnType<typeof createTracing>

/** As the wall clock, but it never goes back. */
const now = () => performance.timeOrigin + performance.now()

/**
 * Spans of requests, queries, jobs and calls to others' services. They hold names of ours — a route's pattern, a table, a job — and
 * never a value. Loaded only where a collector is configured. A trace begins here: what a browser says of one is not believed.
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

    /** Within a request or a job that is traced; alone it says nothing. */
    outside: (service: string, run: () => Promise<unknown>): Promise<unknown> =>
      current.getStore() ? inSpan(begin(`call ${service}`, 'client', { 'peer.service': service }), run) : run(),

    /** A query that has ended, after so many milliseconds. */
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
      // Reading a body comes back from the socket's events, which know nothing of the request.
      app.addHook('preValidation', (request, _reply, done) => {
        const span = requests.get(request.raw)
        if (span) current.run(span, done)
        else done()
      })
    },

    /** What a line of the log says besides. */
    logFields(): { traceId?: string } {
      const span = current.getStore()
      return span ? { traceId: span.traceId } : {}
    },

    /** Who is told that the collector takes nothing. */
    reportTo(listener: (error: unknown) => void): void {
      report = listener
    },
    stop: () => exporter.stop(),
  }
}
