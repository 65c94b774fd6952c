import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { getAccountDeletion, listDataExports } from '#contracts/calls/own-data.ts'
import { callOptions, refreshCalls } from '#web/lib/call.ts'

const lookEveryMs = 2_000

/** Polled while an export is being created. */
export const exportsOptions = queryOptions({
  ...callOptions(listDataExports, {}),
  refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'making') ? lookEveryMs : false),
})

export const deletionOptions = callOptions(getAccountDeletion, {})

export const refreshExports = (client: QueryClient): Promise<void> => refreshCalls(client, [listDataExports])
