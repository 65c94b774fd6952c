import type { QueryClient } from '@tanstack/react-query'
import { listGroupBusinesses, listGroupMembers, listGroups } from '#contracts/calls/groups.ts'
import { pagesOptions, refreshCalls } from '#web/lib/call.ts'

export const groupsOptions = pagesOptions(listGroups, {})

export const groupBusinessesOptions = (id: string) => pagesOptions(listGroupBusinesses, { params: { id } })

export const groupMembersOptions = (id: string) => pagesOptions(listGroupMembers, { params: { id } })

/** Call after changing a group, its businesses, their hours or its roles. */
export const refreshGroups = (client: QueryClient): Promise<void> =>
  refreshCalls(client, [listGroups, listGroupBusinesses, listGroupMembers])
