import { vaporPressureDeficit } from '#agronomy/vpd.ts'
import type { GrowLog, PlantOfLog } from '#contracts/grow-logs.ts'
import type { Media } from '#contracts/media.ts'
import type { Person } from '#contracts/people.ts'
import type { GrowLogRow } from './grow-logs.queries.ts'

type PlantColumns = Pick<GrowLogRow, 'plant_id' | 'genotype_id' | 'number' | 'copy' | 'label' | 'code'>

export function toPlantOfLog({ plant_id, genotype_id, number, copy, label, code }: PlantColumns): PlantOfLog | null {
  if (plant_id === null || genotype_id === null || number === null || copy === null || code === null) return null
  return { id: plant_id, genotypeId: genotype_id, number, copy, label: label ?? '', code }
}

/** Null if an input is missing. Three decimals exceed any sensor's precision. */
export function vpdOf(air: number | null, humidity: number | null, leaf: number | null): number | null {
  if (air === null || humidity === null) return null
  const vpd = vaporPressureDeficit(air, humidity, leaf)
  return vpd === null ? null : Math.round(vpd * 1000) / 1000
}

export const toGrowLog = (row: GrowLogRow, media: ReadonlyMap<string, Media>, people: ReadonlyMap<string, Person>): GrowLog => ({
  id: row.id,
  huntId: row.hunt_id,
  plant: toPlantOfLog(row),
  loggedOn: row.logged_on,
  week: row.shown_week,
  isWeekStated: row.week !== null,
  stage: row.stage,
  heightCm: row.height_cm,
  rating: row.rating,
  notes: row.notes,
  airCelsius: row.air_celsius,
  leafCelsius: row.leaf_celsius,
  humidityPercent: row.humidity_percent,
  vpdKpa: vpdOf(row.air_celsius, row.humidity_percent, row.leaf_celsius),
  co2Ppm: row.co2_ppm,
  ppfd: row.ppfd,
  ecIn: row.ec_in,
  ecOut: row.ec_out,
  phIn: row.ph_in,
  phOut: row.ph_out,
  feed: row.feed,
  pestControl: row.pest_control,
  training: row.training,
  photos: row.media_ids.flatMap((id) => media.get(id) ?? []),
  author: (row.author_id !== null && people.get(row.author_id)) || null,
  version: row.version,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})
