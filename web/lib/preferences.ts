import { savePreferences } from '../../contracts/accounts.ts'
import type { Preferences } from '../../contracts/preferences.ts'
import { ApiError } from './api-error.ts'
import { call } from './call.ts'
import { currentUserOptions, keepUser } from './current-user.ts'
import { queryClient } from './query-client.ts'

/** One after another, each with all that was chosen by then: the last word is the last to be saved. */
let saving: Promise<unknown> = Promise.resolve()

const userNow = () => queryClient.getQueryData(currentUserOptions.queryKey)

/**
 * Changes how figures are shown, here at once and with the account.
 * @returns whether it was saved; without a network it holds for this visit alone
 * @throws ApiError when the server refused; what was changed is then as it was
 */
export async function changePreferences(change: Partial<Preferences>): Promise<boolean> {
  const before = userNow()
  if (!before) return false
  show(change)
  const saved = saving.then(save)
  saving = saved.catch(() => undefined)
  try {
    await saved
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) return false
    const now = userNow()?.preferences
    const stands = (Object.keys(change) as (keyof Preferences)[]).filter((name) => now?.[name] === change[name])
    show(Object.fromEntries(stands.map((name) => [name, before.preferences[name]])))
    throw error
  }
}

async function save(): Promise<void> {
  const user = userNow()
  if (user) await call(savePreferences, { body: user.preferences })
}

function show(change: Partial<Preferences>): void {
  const user = userNow()
  if (user) keepUser({ ...user, preferences: { ...user.preferences, ...change } })
}
