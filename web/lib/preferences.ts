import { savePreferences } from '#contracts/calls/accounts.ts'
import type { Preferences } from '#contracts/settings.ts'
import { ApiError } from './api-error.ts'
import { call } from './call.ts'
import { cacheUser, currentUserOptions } from './current-user.ts'
import { queryClient } from './query-client.ts'

/** Saves run one after another, each with all choices so far, so the last choice is saved last. */
let saving: Promise<unknown> = Promise.resolve()

const userNow = () => queryClient.getQueryData(currentUserOptions.queryKey)

/**
 * Changes display units and formats, at once in the page and in the account.
 * @returns whether it was saved; without a network, it applies only to this visit
 * @throws ApiError if the server rejected it; the change is reverted
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
  if (user) cacheUser({ ...user, preferences: { ...user.preferences, ...change } })
}
