import { queryOptions } from '@tanstack/react-query'
import { getGrowth, getPhotosOfDay, listGrowLogs, listGrowLogVersions } from '#contracts/calls/grow-logs.ts'
import { listGenotypes } from '#contracts/calls/plants.ts'
import { cacheOffline } from '#web/entities/offline/cache-offline.ts'
import { callOptions, callPage, pagesOptions, queryKey } from '#web/lib/call.ts'

export type LogFilter = { plantId?: string | undefined; week?: number | undefined }

const logsAPage = 50

export const logsOptions = (huntId: string, filter: LogFilter = {}) => {
  const input = { query: { huntId, ...filter, limit: logsAPage } }
  return cacheOffline(pagesOptions(listGrowLogs, input))
}

export const versionsOptions = (id: string) => callOptions(listGrowLogVersions, { params: { id } })

/** All plants of a hunt. Fetches every page; most hunts have one. */
export const plantsOptions = (huntId: string) =>
  cacheOffline(
    queryOptions({
      queryKey: [...queryKey(listGenotypes, { params: { id: huntId } }), 'all'],
      queryFn: async ({ signal }) => {
        const pages = []
        for (let next: string | null = null; ; ) {
          const page: Awaited<ReturnType<typeof callPage<typeof listGenotypes>>> = await callPage(
            listGenotypes,
            { params: { id: huntId } },
            next,
            { signal },
          )
          pages.push(...page.items)
          next = page.next
          if (next === null) return pages
        }
      },
    }),
  )

export const growthOptions = (huntId: string) => cacheOffline(callOptions(getGrowth, { params: { id: huntId } }))

/** Photos of a day; by default, of the latest day with photos. */
export const photosOptions = (huntId: string, on?: string) => {
  const input = { params: { id: huntId }, query: { on } }
  return callOptions(getPhotosOfDay, input)
}
