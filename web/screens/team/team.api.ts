import type { QueryClient } from '@tanstack/react-query'
import { getInvitation, getTeam } from '#contracts/calls/team.ts'
import type { Team } from '#contracts/team.ts'
import { callOptions, refreshCalls } from '#web/lib/call.ts'

export const teamOptions = (businessId: string) => callOptions(getTeam, { params: { id: businessId } })

export const invitationOptions = (token: string) => callOptions(getInvitation, { params: { token } })

export const cacheTeam = (client: QueryClient, team: Team): void => {
  client.setQueryData(teamOptions(team.businessId).queryKey, team)
}

export const refreshTeam = (client: QueryClient): Promise<void> => refreshCalls(client, [getTeam])

/** Call after the viewer left the team. */
export const dropTeam = (client: QueryClient, businessId: string): void =>
  client.removeQueries({ queryKey: teamOptions(businessId).queryKey })
