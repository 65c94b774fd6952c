import { queryOptions } from '@tanstack/react-query'
import { type ArchiveTable, listHuntProofs } from '../../../contracts/hunt-archive.ts'
import { call, queryKey } from '../../lib/call.ts'
import { othersChange } from '../../lib/query-client.ts'

export const proofsOptions = (huntId: string) =>
  queryOptions({
    queryKey: queryKey(listHuntProofs, { params: { id: huntId } }),
    queryFn: ({ signal }) => call(listHuntProofs, { params: { id: huntId } }, { signal }),
    meta: othersChange,
  })

/** Plain addresses, so that the browser saves what comes. */
export const exportAddress = (huntId: string) => `/api/pheno-hunts/${huntId}/export.json`
export const tableAddress = (huntId: string, table: ArchiveTable) => `/api/pheno-hunts/${huntId}/export/${table}.csv`
