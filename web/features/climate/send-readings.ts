import { addClimateReadings, beginClimateImport, type ClimateImport, maxReadingsAtOnce } from '../../../contracts/climate.ts'
import { call } from '../../lib/call.ts'
import { newId } from '../offline/ids.ts'
import type { Readings } from './sensor-readings.ts'

type Import = { huntId: string; sensorName: string; fileName: string; timeZone: string; readings: Readings }

export type Sent = { id: string; added: number; already: number; imported: ClimateImport }

/**
 * Sends a file's readings a part at a time. Nothing is added twice, so that a file whose sending was interrupted is simply imported again.
 * @throws ApiError
 */
export async function sendReadings({ huntId, readings, ...about }: Import, onProgress: (share: number) => void): Promise<Sent> {
  const id = newId()
  const imported = await call(beginClimateImport, { params: { id: huntId }, body: { id, ...about } })
  let added = 0
  let already = 0
  const total = readings.at.length
  for (let from = 0; from < total; from += maxReadingsAtOnce) {
    const part = <T>(column: readonly T[]) => column.slice(from, from + maxReadingsAtOnce)
    const answer = await call(addClimateReadings, {
      params: { id },
      body: {
        at: part(readings.at),
        airCelsius: part(readings.airCelsius),
        humidityPercent: part(readings.humidityPercent),
        ...(readings.leafCelsius.some((value) => value !== null) ? { leafCelsius: part(readings.leafCelsius) } : {}),
        ...(readings.co2Ppm.some((value) => value !== null) ? { co2Ppm: part(readings.co2Ppm) } : {}),
      },
    })
    added += answer.added
    already += answer.already
    onProgress(Math.min(1, (from + maxReadingsAtOnce) / total))
  }
  return { id, added, already, imported }
}
