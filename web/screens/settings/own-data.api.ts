import { queryOptions } from '@tanstack/react-query'
import { getAccountDeletion, listDataExports } from '#contracts/own-data.ts'
import { call, queryKey } from '#web/lib/call.ts'

const lookEveryMs = 2_000

/** Polled while an export is being created. */
export const exportsOptions = queryOptions({
  queryKey: queryKey(listDataExports),
  queryFn: ({ signal }) => call(listDataExports, {}, { signal }),
  refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'making') ? lookEveryMs : false),
})

export const deletionOptions = queryOptions({
  queryKey: queryKey(getAccountDeletion),
  queryFn: ({ signal }) => call(getAccountDeletion, {}, { signal }),
})
