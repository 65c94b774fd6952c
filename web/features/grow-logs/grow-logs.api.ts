import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getGrowth, getPhotosOfDay, listGrowLogs, listGrowLogVersions } from '../../../contracts/grow-logs.ts'
import { listGenotypes } from '../../../contracts/plants.ts'
import { call, callPage, type ListPage, queryKey } from '../../lib/call.ts'
import { keepOffline } from '../offline/keep-offline.ts'

const firstPage = null as string | null
const nextPage = ({ next }: ListPage<unknown>) => next

export type LogFilter = { plantId?: string | undefined; week?: number | undefined }

const logsAPage = 50

export const logsOptions = (huntId: string, filter: LogFilter = {}) => {
  const input = { query: { huntId, ...filter, limit: logsAPage } }
  return keepOffline(
    infiniteQueryOptions({
      queryKey: queryKey(listGrowLogs, input),
      queryFn: ({ pageParam, signal }) => callPage(listGrowLogs, input, pageParam, { signal }),
      initialPageParam: firstPage,
      getNextPageParam: nextPage,
    }),
  )
}

export const versionsOptions = (id: string) =>
  queryOptions({
    queryKey: queryKey(listGrowLogVersions, { params: { id } }),
    queryFn: ({ signal }) => call(listGrowLogVersions, { params: { id } }, { signal }),
  })

/** All of a hunt's plants: page after page, which for most hunts is one. */
export const plantsOptions = (huntId: string) =>
  keepOffline(
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

export const growthOptions = (huntId: string) =>
  keepOffline(
    queryOptions({
      queryKey: queryKey(getGrowth, { params: { id: huntId } }),
      queryFn: ({ signal }) => call(getGrowth, { params: { id: huntId } }, { signal }),
    }),
  )

/** Without a day, the newest that has photos. */
export const photosOptions = (huntId: string, on?: string) => {
  const input = { params: { id: huntId }, query: { on } }
  return queryOptions({
    queryKey: queryKey(getPhotosOfDay, input),
    queryFn: ({ signal }) => call(getPhotosOfDay, input, { signal }),
  })
}
