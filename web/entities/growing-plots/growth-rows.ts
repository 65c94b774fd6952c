import { meanOf, quantileOf } from '#agronomy/statistics.ts'
import { numberText, type PlotColumn, withUnit } from './plot-table.ts'

/** `at` is in weeks or days since germination or a clone's own start, depending on the plot. */
export type HeightLog = { plantId: string; at: number; height: number }

/** Plot, table and file share these rows. `heights` follow the order of the selected plants; null means not measured. */
export type GrowthRow = { at: number; band: GrowthBand; heights: readonly (number | null)[] }

export type GrowthPlant = { plantId: string; name: string }

/** If a plant has two heights at one time, the later entry wins. `logs` includes all siblings, because they form the band. */
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
    { key: 'lower', label: 'Siblings, lower quartile', unit, kind: 'number', value: (row) => row.band.lowerQuartile },
    { key: 'upper', label: 'Siblings, upper quartile', unit, kind: 'number', value: (row) => row.band.upperQuartile },
    { key: 'count', label: 'Siblings measured', kind: 'number', value: (row) => row.band.plants },
  ]
}

type GrowthSeries = {
  lines: { name: string; points: [at: number, height: number][] }[]
  median: [at: number, height: number][]
  band: [at: number, lower: number, upper: number][]
}

/** Lines continue across times without a measurement. */
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

/** Compares a height with the siblings' median: "12 cm over 96 cm". */
export function besideMedian(height: number, siblings: number, unit: string): string {
  const difference = height - siblings
  const median = withUnit(numberText(siblings), unit)
  if (difference === 0) return `the median, ${median}`
  return `${withUnit(numberText(Math.abs(difference)), unit)} ${difference > 0 ? 'over' : 'under'} ${median}`
}

type GrowthPoint = { plantId: string; week: number; value: number }

/** Median and quartiles of the siblings' heights in a week. `plants` is the number of siblings measured that week. */
type GrowthBand = { week: number; median: number; lowerQuartile: number; upperQuartile: number; plants: number }

/** Each plant counts once per week, by its mean. `except` excludes the plant that is compared with its siblings. */
export function growthBand(points: readonly GrowthPoint[], except?: string): GrowthBand[] {
  const weeks = new Map<number, Map<string, number[]>>()
  for (const { plantId, week, value } of points) {
    if (plantId === except || !Number.isFinite(value)) continue
    const plants = weeks.get(week) ?? new Map<string, number[]>()
    weeks.set(week, plants)
    const values = plants.get(plantId)
    if (values) values.push(value)
    else plants.set(plantId, [value])
  }
  return [...weeks]
    .sort(([a], [b]) => a - b)
    .map(([week, plants]) => {
      const values = [...plants.values()].map(meanOf)
      return {
        week,
        median: quantileOf(values, 0.5),
        lowerQuartile: quantileOf(values, 0.25),
        upperQuartile: quantileOf(values, 0.75),
        plants: values.length,
      }
    })
}
