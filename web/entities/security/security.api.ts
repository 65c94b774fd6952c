import type { QueryClient } from '@tanstack/react-query'
import { getSecondFactor } from '#contracts/calls/second-factor.ts'
import { callOptions } from '#web/lib/call.ts'
import { currentUserOptions, refreshCurrentUser } from '#web/lib/current-user.ts'

export const secondFactorOptions = callOptions(getSecondFactor, {})

/** Call after changing the second factor, which changes the session's permissions. */
export async function afterFactorChange(client: QueryClient): Promise<void> {
  await refreshCurrentUser()
  const [current] = currentUserOptions.queryKey
  await client.invalidateQueries({ predicate: ({ queryKey: [address] }) => address !== current })
}
