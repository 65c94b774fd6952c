import type { QueryClient } from '@tanstack/react-query'
import { getInvitation, getTeam, type Team } from '#contracts/team.ts'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { callOptions } from '#web/lib/call-options.ts'

export const teamOptions = (businessId: string) => callOptions(getTeam, { params: { id: businessId } })

export const invitationOptions = (token: string) => callOptions(getInvitation, { params: { token } })

/** Writes the response of a change into the cache. */
export const cacheTeam = (client: QueryClient, team: Team): void => {
  client.setQueryData(teamOptions(team.businessId).queryKey, team)
}

/** The viewer's own role may have changed or ended. */
export const refreshBusinesses = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: myBusinessesOptions.queryKey })
