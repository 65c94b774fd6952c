import type { QueryClient } from '@tanstack/react-query'
import { getInvitation, getTeam } from '#contracts/calls/team.ts'
import type { Team } from '#contracts/team.ts'
import { callOptions, refreshCalls } from '#web/lib/call.ts'
import { alwaysCurrent, othersChange } from '#web/lib/query-client.ts'

export const teamOptions = (businessId: string) => ({ ...callOptions(getTeam, { params: { id: businessId } }), meta: othersChange })

export const invitationOptions = (token: string) => ({ ...callOptions(getInvitation, { params: { token } }), ...alwaysCurrent })

export const cacheTeam = (client: QueryClient, team: Team): void => {
  client.setQueryData(teamOptions(team.businessId).queryKey, team)
}

export const refreshTeam = (client: QueryClient): Promise<void> => refreshCalls(client, [getTeam])
