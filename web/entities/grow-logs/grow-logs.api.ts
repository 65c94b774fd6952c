import { queryOptions } from '@tanstack/react-query'
import { getGrowth, getPhotosOfDay, listGrowLogs, listGrowLogVersions } from '#contracts/calls/grow-logs.ts'
import { listGenotypes } from '#contracts/calls/plants.ts'
import { cacheOffline } from '#web/entities/offline/cache-offline.ts'
import { callOptions, callPage, everyPage, pagesOptions, queryKey } from '#web/lib/call.ts'
import { othersChange } from '#web/lib/query-client.ts'

export type LogFilter = { plantId?: string | undefined; week?: number | undefined }

const logsAPage = 50

export const logsOptions = (huntId: string, filter: LogFilter = {}) => {
  const input = { query: { huntId, ...filter, limit: logsAPage } }
  return cacheOffline({ ...pagesOptions(listGrowLogs, input), meta: othersChange })
}

export const versionsOptions = (id: string) => ({ ...callOptions(listGrowLogVersions, { params: { id } }), meta: othersChange })

/** Fetches every page. Most hunts have one. */
export const plantsOptions = (huntId: string) =>
  cacheOffline(
    queryOptions({
      queryKey: [...queryKey(listGenotypes, { params: { id: huntId } }), 'all'],
      queryFn: ({ signal }) => everyPage((next) => callPage(listGenotypes, { params: { id: huntId } }, next, { signal })),
      meta: othersChange,
    }),
  )

export const growthOptions = (huntId: string) => cacheOffline({ ...callOptions(getGrowth, { params: { id: huntId } }), meta: othersChange })

export const photosOptions = (huntId: string, on?: string) => {
  const input = { params: { id: huntId }, query: { on } }
  return { ...callOptions(getPhotosOfDay, input), meta: othersChange }
}
