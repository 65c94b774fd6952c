import { setTimeout as sleep } from 'node:timers/promises'
import { release } from '#server/release.ts'

export const spanKinds = { internal: 1, server: 2, client: 3, consumer: 5 } as const

export type Attributes = Record<string, string | number>

/** Times are ms since 1970, with fractions. */
export type EndedSpan = {
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

export type ExporterSettings = { url: string; headers: Readonly<Record<string, string>>; serviceName: string; everyMs?: number }

const maxWaiting = 4096
const maxBatchSize = 512
const timeLimitMs = 5_000
/** How long shutdown waits for the last spans, in ms. */
const lastMomentMs = 1_000

/**
 * Sends spans to a collector in batches, by OTLP/HTTP with JSON (opentelemetry.io/docs/specs/otlp). Nothing waits for it: spans that the
 * collector rejects are dropped, which is reported once until it accepts some again.
 */
export function createExporter({ url, headers, serviceName, everyMs = 2_000 }: ExporterSettings, onTrouble: (error: unknown) => void) {
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
