import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { getInvitation, getTeam, type Team } from '#contracts/team.ts'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { call, queryKey } from '#web/lib/call.ts'

export const teamOptions = (businessId: string) =>
  queryOptions({
    queryKey: queryKey(getTeam, { params: { id: businessId } }),
    queryFn: ({ signal }) => call(getTeam, { params: { id: businessId } }, { signal }),
  })

export const invitationOptions = (token: string) =>
  queryOptions({
    queryKey: queryKey(getInvitation, { params: { token } }),
    queryFn: ({ signal }) => call(getInvitation, { params: { token } }, { signal }),
  })

/** Writes the response of a change into the cache. */
export const cacheTeam = (client: QueryClient, team: Team): void => {
  client.setQueryData(teamOptions(team.businessId).queryKey, team)
}

/** The viewer's own role may have changed or ended. */
export const refreshBusinesses = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: myBusinessesOptions.queryKey })
