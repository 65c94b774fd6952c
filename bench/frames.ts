import type { Browser, Page } from '@playwright/test'
import { quantile } from './latency.ts'

const frameMs = 1000 / 60

export type FrameFigures = {
  what: string
  frames: number
  /** Share of frames in which the main thread worked for less than a frame, by CPU time and by wall-clock time. */
  shareInTime: number
  shareInTimeByClock: number
  p50Ms: number
  p95Ms: number
  slowestMs: number
}

/** Frames presented, by wall-clock time. The compositor moves painted content without waiting for the main thread. */
export type DrawnFigures = {
  perSecond: number
  frames: number
  /** Frames more than one and a half frame durations after the previous frame. */
  late: number
}

export type TraceEvent = { name: string; tid: number; pid: number; ts: number; dur?: number; tdur?: number; args?: { name?: string } }

/** Traces the page. The events of its main thread (`main`) and the presented frames (`drawn`) are in chronological order. */
export async function traced(
  browser: Browser,
  page: Page,
  work: () => Promise<void>,
): Promise<{ main: TraceEvent[]; workers: TraceEvent[]; drawn: TraceEvent[] }> {
  await browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'viz'] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const threads = (name: string) => traceEvents.filter((event) => event.name === 'thread_name' && event.args?.name === name)
  const busyIn = ({ pid, tid }: TraceEvent) => traceEvents.filter((event) => event.pid === pid && event.tid === tid)
  const [main = []] = threads('CrRendererMain')
    .map(busyIn)
    .sort((a, b) => b.length - a.length)
  const inOrder = (events: TraceEvent[]) => events.sort((a, b) => a.ts - b.ts)
  return {
    main: inOrder(main),
    workers: threads('DedicatedWorker thread').flatMap(busyIn),
    drawn: inOrder(traceEvents.filter((event) => event.name === 'Display::DrawAndSwap')),
  }
}

export function drawnFigures(drawn: readonly TraceEvent[]): DrawnFigures {
  const gaps = drawn.slice(1).map(({ ts }, before) => (ts - (drawn[before] as TraceEvent).ts) / 1000)
  const seconds = gaps.reduce((sum, ms) => sum + ms, 0) / 1000
  return { perSecond: gaps.length / seconds, frames: drawn.length, late: gaps.filter((ms) => ms > 1.5 * frameMs).length }
}

export function frameFigures(what: string, main: readonly TraceEvent[]): FrameFigures {
  const frames = framesOf(main)
  const share = (times: number[]) => times.filter((ms) => ms < frameMs).length / times.length
  const cpu = frames.map((frame) => frame.cpuMs)
  return {
    what,
    frames: frames.length,
    shareInTime: share(cpu),
    shareInTimeByClock: share(frames.map((frame) => frame.clockMs)),
    p50Ms: quantile(cpu, 0.5),
    p95Ms: quantile(cpu, 0.95),
    slowestMs: Math.max(...cpu),
  }
}

export const frameLine = ({ what, frames, shareInTime, p50Ms, p95Ms, slowestMs }: FrameFigures) =>
  `${what.padEnd(36)} ${(100 * shareInTime).toFixed(1).padStart(5)} % of ${String(frames).padStart(4)} frames in time, ` +
  `median ${p50Ms.toFixed(1)}, p95 ${p95Ms.toFixed(1)}, slowest ${slowestMs.toFixed(1)}`

function framesOf(events: readonly TraceEvent[]): { cpuMs: number; clockMs: number }[] {
  const frames = [{ cpuMs: 0, clockMs: 0 }]
  for (const { name, dur = 0, tdur } of events) {
    if (name === 'BeginCommitCompositorFrame') frames.push({ cpuMs: 0, clockMs: 0 })
    const frame = frames.at(-1)
    if (!frame || name !== 'RunTask') continue
    frame.cpuMs += (tdur ?? dur) / 1000
    frame.clockMs += dur / 1000
  }
  return frames.slice(0, -1)
}
