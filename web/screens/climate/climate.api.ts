import { queryOptions } from '@tanstack/react-query'
import { uuidv7 } from 'uuidv7'
import {
  addClimateReadings,
  beginClimateImport,
  getClimate,
  listClimateImports,
  listClimateTargets,
  listSensorKeys,
} from '#contracts/calls/climate.ts'
import type { Climate, ClimateImport, ClimateTarget } from '#contracts/climate.endpoints.ts'
import { maxClimatePoints, maxReadingsAtOnce } from '#contracts/limits.ts'
import { minuteMs } from '#contracts/time.ts'
import { cacheOffline } from '#web/entities/offline/cache-offline.ts'
import { call, callOptions, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { othersChange, queryClient } from '#web/lib/query-client.ts'
import type { Readings } from './sensor-readings.ts'

export const climateOptions = (huntId: string, sensorId?: string) => {
  const input = { params: { id: huntId }, query: { sensorId, points: maxClimatePoints } }
  return cacheOffline(
    queryOptions({
      ...callOptions(getClimate, input),
      placeholderData: (before: Climate | undefined) => before,
      // Live sensors add readings at any time.
      refetchInterval: ({ state }) => (state.data?.sensors.some(({ isLive }) => isLive) ? minuteMs : false),
      meta: othersChange,
    }),
  )
}

export const targetsOptions = (huntId: string) =>
  cacheOffline({ ...callOptions(listClimateTargets, { params: { id: huntId } }), meta: othersChange })

export const importsOptions = (huntId: string) => {
  const input = { params: { id: huntId }, query: { limit: 10 } }
  return { ...pagesOptions(listClimateImports, input), meta: othersChange }
}

export const sensorKeysOptions = (huntId: string) => ({ ...callOptions(listSensorKeys, { params: { id: huntId } }), meta: othersChange })

export const refreshClimate = (): Promise<void> => refreshCalls(queryClient, [getClimate, listClimateImports, listSensorKeys])

export const cacheTargets = (huntId: string, targets: ClimateTarget[]): void => {
  queryClient.setQueryData(targetsOptions(huntId).queryKey, targets)
  // `getClimate` counts the readings within each target.
  void refreshCalls(queryClient, [getClimate])
}

type Import = { huntId: string; sensorName: string; fileName: string; timeZone: string; readings: Readings }

type Sent = { id: string; added: number; already: number; imported: ClimateImport }

/**
 * Sends readings in chunks. Readings already saved are skipped, so importing an interrupted file again is safe.
 * @throws ApiError
 */
export async function sendReadings({ huntId, readings, ...about }: Import, onProgress: (share: number) => void): Promise<Sent> {
  const id = uuidv7()
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
