import { dayMs, hourMs, minuteMs } from '#contracts/time.ts'
import type { PlotColumn } from './plot-table.ts'

export type ClimateReading = {
  /** Milliseconds since 1970. */
  at: number
  temperature: number | null
  /** Relative, in percent. */
  humidity: number | null
  /** In kPa. */
  vpd: number | null
  /** Set for a mean: the number of its readings, and how many of them are within each target, by the target's ID. */
  mean?: { readings: number; inTarget: Readonly<Record<string, number>> } | undefined
}

export type ClimateMeasure = 'vpd' | 'temperature' | 'humidity'

/** `from` and `to` are inclusive. */
export type ClimateTarget = {
  id: string
  measure: ClimateMeasure
  from: number
  to: number
  low: number
  high: number
  name?: string | undefined
}

export const measureNames: Record<ClimateMeasure, string> = { vpd: 'VPD', temperature: 'Temperature', humidity: 'Humidity' }
export const measures: readonly ClimateMeasure[] = ['vpd', 'temperature', 'humidity']

export function climateColumns(units: Record<ClimateMeasure, string>, timeZone: string | undefined): PlotColumn<ClimateReading>[] {
  return [
    { key: 'at', label: 'Time', kind: 'moment', timeZone, value: (row) => row.at },
    ...measures.map(
      (measure): PlotColumn<ClimateReading> => ({
        key: measure,
        label: measureNames[measure],
        unit: units[measure],
        kind: 'number',
        value: (row) => row[measure],
      }),
    ),
  ]
}

/** The line shows a gap after this many typical intervals without a reading. */
const usualSteps = 4

/** In milliseconds. Uses the median, because a mean would include gaps. */
export function usualStep(readings: readonly ClimateReading[]): number {
  const steps: number[] = []
  const stride = Math.max(1, Math.floor(readings.length / 500))
  for (let at = stride; at < readings.length; at += stride) {
    steps.push((readings[at] as ClimateReading).at - (readings[at - 1] as ClimateReading).at)
  }
  return steps.sort((one, other) => one - other)[Math.floor(steps.length / 2)] ?? 0
}

export type ClimatePoint = [at: number, value: number | null]

/**
 * Downsamples to `width` pixels without averaging. Each pixel column has its first, lowest, highest and last reading at their own times, so
 * the plot looks the same as with all readings. A null breaks the line where the sensor was silent or had no value.
 */
export function climatePoints(readings: readonly ClimateReading[], measure: ClimateMeasure, width: number): ClimatePoint[] {
  const first = readings[0]?.at
  const last = readings.at(-1)?.at
  if (first === undefined || last === undefined) return []
  const silence = usualStep(readings) * usualSteps
  const perColumn = (last - first) / Math.max(1, Math.floor(width)) || 1
  const points: ClimatePoint[] = []
  let column: ClimateReading[] = []
  let columnNumber = -1
  const flush = () => {
    for (const { at, ...values } of extremes(column, measure)) points.push([at, values[measure]])
    column = []
  }
  let before: ClimateReading | undefined
  for (const reading of readings) {
    const isSilent = before !== undefined && silence > 0 && reading.at - before.at > silence
    const number = Math.floor((reading.at - first) / perColumn)
    if (number !== columnNumber || isSilent) flush()
    columnNumber = number
    if (isSilent && before) interrupt(points, before.at + 1)
    if (reading[measure] === null) {
      flush()
      interrupt(points, reading.at)
    } else column.push(reading)
    before = reading
  }
  flush()
  return points
}

function interrupt(points: ClimatePoint[], at: number): void {
  if (points.length > 0 && points.at(-1)?.[1] !== null) points.push([at, null])
}

function extremes(column: readonly ClimateReading[], measure: ClimateMeasure): ClimateReading[] {
  if (column.length < 5) return [...column]
  let lowest = 0
  let highest = 0
  for (let at = 1; at < column.length; at += 1) {
    const value = column[at]?.[measure] as number
    if (value < (column[lowest]?.[measure] as number)) lowest = at
    if (value > (column[highest]?.[measure] as number)) highest = at
  }
  return [...new Set([0, lowest, highest, column.length - 1])].sort((one, other) => one - other).map((at) => column[at] as ClimateReading)
}

/** Includes both ends. Expects chronological order. */
export function readingsBetween(readings: readonly ClimateReading[], from: number, to: number): readonly ClimateReading[] {
  return readings.slice(indexAt(readings, from), indexAt(readings, to + 1))
}

export function indexAt(readings: readonly ClimateReading[], time: number): number {
  let low = 0
  let high = readings.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((readings[middle] as ClimateReading).at < time) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The share of readings within their target, from 0 to 1. A mean counts as its individual readings, because means are within a target more
 * often than single readings. Readings without a target don't count. Null if none has a target.
 */
export function shareInTarget(
  readings: readonly ClimateReading[],
  measure: ClimateMeasure,
  targets: readonly ClimateTarget[],
): number | null {
  let within = 0
  let readingsInSpan = 0
  for (const target of targets) {
    if (target.measure !== measure) continue
    for (const reading of readingsBetween(readings, target.from, target.to)) {
      const value = reading[measure]
      if (value === null) continue
      readingsInSpan += reading.mean?.readings ?? 1
      within += reading.mean ? (reading.mean.inTarget[target.id] ?? 0) : Number(value >= target.low && value <= target.high)
    }
  }
  return readingsInSpan === 0 ? null : within / readingsInSpan
}

const steps = [hourMs, 2 * hourMs, 3 * hourMs, 6 * hourMs, 12 * hourMs, dayMs, 2 * dayMs, 7 * dayMs, 14 * dayMs, 28 * dayMs, 56 * dayMs]

/** Round times in the room's time zone, at most `max` steps in total. */
export function timeTicks(from: number, to: number, max: number, timeZone?: string | undefined): { ticks: number[]; step: number } {
  const step = steps.find((each) => (to - from) / each <= max) ?? Math.ceil((to - from) / max / dayMs) * dayMs
  const ticks: number[] = []
  // With wall-clock time treated as UTC, round times are multiples of the step.
  const start = Math.ceil((from + offsetAt(from, timeZone)) / step) * step
  for (let wall = start; ; wall += step) {
    const at = fromWall(wall, timeZone)
    if (at > to) return { ticks, step }
    if (at >= from && at !== ticks.at(-1)) ticks.push(at)
  }
}

/** Month and day, or the hour for steps shorter than a day. */
export const tickOptions = (step: number): Omit<Intl.DateTimeFormatOptions, 'timeZone'> =>
  step >= dayMs ? { month: 'short', day: 'numeric' } : { hour: 'numeric', ...(step < hourMs && { minute: '2-digit' }) }

function fromWall(wall: number, timeZone: string | undefined): number {
  const guess = wall - offsetAt(wall, timeZone)
  // The offset at the guessed time may be different, so repeat with that one.
  return wall - offsetAt(guess, timeZone)
}

const clocks = new Map<string, Intl.DateTimeFormat>()

export function offsetAt(at: number, timeZone: string | undefined): number {
  if (!timeZone) return -new Date(at).getTimezoneOffset() * minuteMs
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  clocks.set(timeZone, clock)
  const part = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const wall = Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day ?? 1, part.hour ?? 0, part.minute ?? 0, part.second ?? 0)
  return wall - Math.floor(at / 1000) * 1000
}

/** Rounds the range outward to a multiple of a round step, with about `parts` steps. */
export function roundRange(low: number, high: number, parts: number): { min: number; max: number; interval: number } {
  const interval = roundStep((high - low || Math.abs(high) || 1) / parts)
  const at = (steps: number) => Number((steps * interval).toPrecision(12))
  const min = at(Math.floor(low / interval))
  const max = at(Math.ceil(high / interval))
  return { min, max: max > min ? max : at(Math.ceil(high / interval) + 1), interval }
}

/** Rounds up to 1, 2, 2.5, 5 or 10 times a power of ten. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step))
  return Number((([1, 2, 2.5, 5].find((each) => each * power >= step * 0.999) ?? 10) * power).toPrecision(12))
}
