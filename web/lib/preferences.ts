import { savePreferences } from '../../contracts/accounts.ts'
import type { Preferences } from '../../contracts/preferences.ts'
import { ApiError } from './api-error.ts'
import { call } from './call.ts'
import { currentUserOptions, keepUser } from './current-user.ts'
import { queryClient } from './query-client.ts'

/**
 * Changes how figures are shown, here at once and with the account. Without a network it holds for this visit.
 * @throws ApiError when the server refused; everything is then as it was
 */
export async function changePreferences(change: Partial<Preferences>): Promise<void> {
  const before = queryClient.getQueryData(currentUserOptions.queryKey)
  if (!before) return
  const preferences = { ...before.preferences, ...change }
  keepUser({ ...before, preferences })
  try {
    keepUser(await call(savePreferences, { body: preferences }))
  } catch (error) {
    if (!(error instanceof ApiError)) return
    keepUser(before)
    throw error
  }
}
