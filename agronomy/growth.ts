import { meanOf, quantileOf } from './statistics.ts'

export type GrowthPoint = { plantId: string; week: number; value: number }

/** The siblings' interquartile range in a week, and their number. */
export type GrowthBand = { week: number; median: number; lowerQuartile: number; upperQuartile: number; plants: number }

/** Each plant counts once per week, by the mean of its values. `except` excludes the plant being compared with its siblings. */
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
