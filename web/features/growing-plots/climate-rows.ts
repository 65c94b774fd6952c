import type { PlotColumn } from './plot-table.ts'

/** One reading of a room's sensors; the vapor pressure deficit as the server computed it. */
export type ClimateReading = {
  /** Milliseconds since 1970. */
  at: number
  temperature: number | null
  /** Percent. */
  humidity: number | null
  /** kPa. */
  vpd: number | null
}

export type ClimateMeasure = 'vpd' | 'temperature' | 'humidity'

/** Where a value should be from one time to another. */
export type ClimateTarget = { measure: ClimateMeasure; from: number; to: number; low: number; high: number; name?: string | undefined }

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

/** A longer silence than this many usual steps is a gap: no line is drawn over it. */
const usualSteps = 4

/** The time between two readings, as most often seen; a sensor that stops for a while does not change it. */
export function usualStep(readings: readonly ClimateReading[]): number {
  const steps: number[] = []
  // A few hundred of them say as much as all.
  const stride = Math.max(1, Math.floor(readings.length / 500))
  for (let at = stride; at < readings.length; at += stride) {
    steps.push((readings[at] as ClimateReading).at - (readings[at - 1] as ClimateReading).at)
  }
  return steps.sort((one, other) => one - other)[Math.floor(steps.length / 2)] ?? 0
}

export type ClimatePoint = [at: number, value: number | null]

/**
 * The points of a measure that are drawn in `width` pixels: of each column of pixels its first, lowest, highest and last reading, at their
 * own times. What a plot of all readings would cover is covered; no point is an average or made up. A null interrupts the line where
 * the sensor was silent or had no value.
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

/** The first, lowest, highest and last of a column, each once, in the order of time. */
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

/** The readings from one time to another, both included. They are in the order of time. */
export function readingsBetween(readings: readonly ClimateReading[], from: number, to: number): readonly ClimateReading[] {
  return readings.slice(indexAt(readings, from), indexAt(readings, to + 1))
}

/** The first index at or after a time. */
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

/** How much of the measured time a value was within its targets, from 0 to 1; null where no target and reading meet. */
export function shareInTarget(
  readings: readonly ClimateReading[],
  measure: ClimateMeasure,
  targets: readonly ClimateTarget[],
): number | null {
  let within = 0
  let held = 0
  for (const target of targets) {
    if (target.measure !== measure) continue
    for (const reading of readingsBetween(readings, target.from, target.to)) {
      const value = reading[measure]
      if (value === null) continue
      held += 1
      if (value >= target.low && value <= target.high) within += 1
    }
  }
  return held === 0 ? null : within / held
}
