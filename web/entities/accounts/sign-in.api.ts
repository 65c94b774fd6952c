import type { QueryClient } from '@tanstack/react-query'
import { getSignIn, listSessions } from '#contracts/calls/sign-in.ts'
import { callOptions, pagesOptions } from '#web/lib/call.ts'

export const signInOptions = callOptions(getSignIn, {})

export const sessionsOptions = pagesOptions(listSessions, {})

/** Call after a change: both sign-in methods and sessions may differ. */
export async function afterSignInChange(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: signInOptions.queryKey }),
    client.invalidateQueries({ queryKey: sessionsOptions.queryKey }),
  ])
}
