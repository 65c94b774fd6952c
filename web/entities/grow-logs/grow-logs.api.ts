import { queryOptions } from '@tanstack/react-query'
import { getGrowth, getPhotosOfDay, listGrowLogs, listGrowLogVersions } from '#contracts/calls/grow-logs.ts'
import { listGenotypes } from '#contracts/calls/plants.ts'
import { cacheOffline } from '#web/entities/offline/cache-offline.ts'
import { callOptions, callPage, everyPage, pagesOptions, queryKey } from '#web/lib/call.ts'

export type LogFilter = { plantId?: string | undefined; week?: number | undefined }

const logsAPage = 50

export const logsOptions = (huntId: string, filter: LogFilter = {}) => {
  const input = { query: { huntId, ...filter, limit: logsAPage } }
  return cacheOffline(pagesOptions(listGrowLogs, input))
}

export const versionsOptions = (id: string) => callOptions(listGrowLogVersions, { params: { id } })

/** Fetches every page. Most hunts have one. */
export const plantsOptions = (huntId: string) =>
  cacheOffline(
    queryOptions({
      queryKey: [...queryKey(listGenotypes, { params: { id: huntId } }), 'all'],
      queryFn: ({ signal }) => everyPage((next) => callPage(listGenotypes, { params: { id: huntId } }, next, { signal })),
    }),
  )

export const growthOptions = (huntId: string) => cacheOffline(callOptions(getGrowth, { params: { id: huntId } }))

export const photosOptions = (huntId: string, on?: string) => {
  const input = { params: { id: huntId }, query: { on } }
  return callOptions(getPhotosOfDay, input)
}
