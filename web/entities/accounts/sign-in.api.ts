import type { QueryClient } from '@tanstack/react-query'
import { getSecondFactor, getSignIn, listSessions } from '#contracts/calls/sign-in.ts'
import { callOptions, pagesOptions } from '#web/lib/call.ts'
import { currentUserOptions, refreshCurrentUser } from '#web/lib/current-user.ts'

export const signInOptions = callOptions(getSignIn, {})

export const sessionsOptions = pagesOptions(listSessions, {})

/** Call after any change to sign-in methods or sessions, because each affects the other. */
export async function afterSignInChange(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: signInOptions.queryKey }),
    client.invalidateQueries({ queryKey: sessionsOptions.queryKey }),
  ])
}

export const secondFactorOptions = callOptions(getSecondFactor, {})

/** Refetches everything, because the second factor determines the session's permissions. */
export async function afterFactorChange(client: QueryClient): Promise<void> {
  await refreshCurrentUser()
  const [current] = currentUserOptions.queryKey
  await client.invalidateQueries({ predicate: ({ queryKey: [address] }) => address !== current })
}
