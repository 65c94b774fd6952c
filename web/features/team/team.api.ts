import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { getInvitation, getTeam, type Team } from '../../../contracts/team.ts'
import { call, queryKey } from '../../lib/call.ts'
import { myBusinessesOptions } from '../businesses/businesses.api.ts'

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

/** What a change answered is the team from now on. */
export const keepTeam = (client: QueryClient, team: Team): void => {
  client.setQueryData(teamOptions(team.businessId).queryKey, team)
}

/** One's own role may be another now, or none. */
export const refreshBusinesses = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: myBusinessesOptions.queryKey })
