import type { ClimateImport, ClimateMeasure, ClimatePoint, ClimateReading, ClimateSensor } from '#contracts/climate.endpoints.ts'
import { toPerson } from '#server/features/people/index.ts'
import type { BucketRow, ImportRow, ReadingColumns, SensorRow } from './climate.queries.ts'

export const toClimateImport = (row: ImportRow): ClimateImport => ({
  id: row.import_id,
  sensor: { id: row.sensor_id, name: row.sensor_name },
  fileName: row.file_name,
  timeZone: row.time_zone,
  readingsCount: row.readings_count,
  importedBy: importerOf(row),
  createdAt: row.imported_at.toISOString(),
})

function importerOf({ id, is_profile_public, ...row }: ImportRow): ClimateImport['importedBy'] {
  if (id === null || is_profile_public === null) return null
  return toPerson({ ...row, id, is_profile_public })
}

export const toClimateSensor = ({ id, name, readings, first_at, last_at }: SensorRow): ClimateSensor => ({
  id,
  name,
  readingsCount: readings,
  firstAt: first_at?.toISOString() ?? null,
  lastAt: last_at?.toISOString() ?? null,
})

/** Single precision has seven digits; more would be conversion noise. */
const rounded = (value: number) => Math.round(value * 1000) / 1000

export function toClimatePoint(row: BucketRow): ClimatePoint {
  const spreadOf = (measure: ClimateMeasure) => {
    const { [`${measure}_min` as const]: min, [`${measure}_mean` as const]: mean, [`${measure}_max` as const]: max } = row
    return min === null || mean === null || max === null ? null : { min: rounded(min), mean: rounded(mean), max: rounded(max) }
  }
  return {
    at: row.bucket_at.toISOString(),
    readingsCount: row.readings,
    airCelsius: spreadOf('airCelsius'),
    humidityPercent: spreadOf('humidityPercent'),
    leafCelsius: spreadOf('leafCelsius'),
    co2Ppm: spreadOf('co2Ppm'),
    vpdKpa: spreadOf('vpdKpa'),
  }
}

export const toClimateReading = (row: ReadingColumns): ClimateReading => ({
  at: row.read_at.toISOString(),
  sensorId: row.sensor_id,
  airCelsius: row.air_celsius,
  humidityPercent: row.humidity_percent,
  leafCelsius: row.leaf_celsius,
  co2Ppm: row.co2_ppm,
  vpdKpa: row.vpd_kpa,
})
