import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getClimate, listClimateImports, listClimateTargets, maxClimatePoints } from '../../../contracts/climate.ts'
import { call, callPage, type ListPage, queryKey } from '../../lib/call.ts'
import { queryClient } from '../../lib/query-client.ts'
import { keepOffline } from '../offline/keep-offline.ts'

export const climateOptions = (huntId: string, sensorId?: string) => {
  const input = { params: { id: huntId }, query: { sensorId, points: maxClimatePoints } }
  return keepOffline(
    queryOptions({
      queryKey: queryKey(getClimate, input),
      queryFn: ({ signal }) => call(getClimate, input, { signal }),
      placeholderData: (before) => before,
    }),
  )
}

export const targetsOptions = (huntId: string) =>
  keepOffline(
    queryOptions({
      queryKey: queryKey(listClimateTargets, { params: { id: huntId } }),
      queryFn: ({ signal }) => call(listClimateTargets, { params: { id: huntId } }, { signal }),
    }),
  )

const firstPage = null as string | null

export const importsOptions = (huntId: string) => {
  const input = { params: { id: huntId }, query: { limit: 10 } }
  return infiniteQueryOptions({
    queryKey: queryKey(listClimateImports, input),
    queryFn: ({ pageParam, signal }) => callPage(listClimateImports, input, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: ({ next }: ListPage<unknown>) => next,
  })
}

/** After an import or its undoing. */
export const refreshClimate = () =>
  queryClient.invalidateQueries({ predicate: ({ queryKey: [path] }) => path === getClimate.path || path === listClimateImports.path })
