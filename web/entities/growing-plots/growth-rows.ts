import { type GrowthBand, growthBand } from '#agronomy/growth.ts'
import { numberText, type PlotColumn, withUnit } from './plot-table.ts'

/** A measured height. `at` is in weeks or days since germination, depending on the plot. */
export type HeightLog = { plantId: string; at: number; height: number }

/** A row of plot, table and file: the siblings' band, and the selected plants' heights in order (null: not measured). */
export type GrowthRow = { at: number; band: GrowthBand; heights: readonly (number | null)[] }

export type GrowthPlant = { plantId: string; name: string }

/**
 * One row per time with a measurement. If a plant has two heights at one time, the later entry wins. `logs` includes all siblings, which
 * form the band.
 */
export function growthRows(logs: readonly HeightLog[], chosen: readonly GrowthPlant[]): GrowthRow[] {
  const heights = new Map<string, HeightLog>()
  for (const log of logs) heights.set(`${log.plantId} ${log.at}`, log)
  const band = growthBand([...heights.values()].map(({ plantId, at, height }) => ({ plantId, week: at, value: height })))
  return band.map((siblings) => ({
    at: siblings.week,
    band: siblings,
    heights: chosen.map(({ plantId }) => heights.get(`${plantId} ${siblings.week}`)?.height ?? null),
  }))
}

export function growthColumns(by: 'week' | 'day', unit: string, chosen: readonly GrowthPlant[]): PlotColumn<GrowthRow>[] {
  return [
    { key: 'at', label: by === 'week' ? 'Week' : 'Day', kind: 'number', value: (row) => row.at },
    ...chosen.map(
      ({ plantId, name }, place): PlotColumn<GrowthRow> => ({
        key: plantId,
        label: name,
        unit,
        kind: 'number',
        value: (row) => row.heights[place] ?? null,
      }),
    ),
    { key: 'median', label: 'Siblings, median', unit, kind: 'number', value: (row) => row.band.median },
    { key: 'lower', label: 'Siblings, lower quarter', unit, kind: 'number', value: (row) => row.band.lowerQuartile },
    { key: 'upper', label: 'Siblings, upper quarter', unit, kind: 'number', value: (row) => row.band.upperQuartile },
    { key: 'count', label: 'Siblings measured', kind: 'number', value: (row) => row.band.plants },
  ]
}

export type GrowthSeries = {
  lines: { name: string; points: [at: number, height: number][] }[]
  median: [at: number, height: number][]
  band: [at: number, lower: number, upper: number][]
}

/** Series to draw. Times without a measurement have no point; the line continues to the next one. */
export function growthSeries(rows: readonly GrowthRow[], chosen: readonly GrowthPlant[]): GrowthSeries {
  return {
    lines: chosen.map(({ name }, place) => ({
      name,
      points: rows.flatMap(({ at, heights }): [number, number][] => {
        const height = heights[place]
        return height === null || height === undefined ? [] : [[at, height]]
      }),
    })),
    median: rows.map(({ at, band }) => [at, band.median]),
    band: rows.map(({ at, band }) => [at, band.lowerQuartile, band.upperQuartile]),
  }
}

/** "12 cm over the siblings' median of 96 cm". */
export function besideMedian(height: number, siblings: number, unit: string): string {
  const difference = height - siblings
  const median = withUnit(numberText(siblings), unit)
  if (difference === 0) return `the median, ${median}`
  return `${withUnit(numberText(Math.abs(difference)), unit)} ${difference > 0 ? 'over' : 'under'} ${median}`
}
