import { savePreferences } from '#contracts/calls/accounts.ts'
import type { Preferences } from '#contracts/settings.ts'
import { ApiError } from './api-error.ts'
import { call } from './call.ts'
import { cacheUser, currentUserOptions } from './current-user.ts'
import { queryClient } from './query-client.ts'

/** Choices that haven't been saved in the account yet. Only these are sent, so that saving doesn't undo choices made on another device. */
let unsaved: Partial<Preferences> = {}
/** Saves run one after another, each with all unsaved choices, so the last choice is saved last. */
let saving: Promise<unknown> = Promise.resolve()

const userNow = () => queryClient.getQueryData(currentUserOptions.queryKey)

/**
 * Changes the page immediately, then the account.
 * @returns whether the change was saved; without a network, it applies to this visit and is saved with the next change
 * @throws ApiError if the server rejected it; the change is reverted
 */
export async function changePreferences(change: Partial<Preferences>): Promise<boolean> {
  const before = userNow()
  if (!before) return false
  show(change)
  unsaved = { ...unsaved, ...change }
  const saved = saving.then(save)
  saving = saved.catch(() => undefined)
  try {
    await saved
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) return false
    const now = userNow()?.preferences
    const unchangedNames = (Object.keys(change) as (keyof Preferences)[]).filter((name) => now?.[name] === change[name])
    forget(change)
    show(Object.fromEntries(unchangedNames.map((name) => [name, before.preferences[name]])))
    throw error
  }
}

async function save(): Promise<void> {
  const sent = unsaved
  if (!userNow() || Object.keys(sent).length === 0) return
  await call(savePreferences, { body: sent })
  forget(sent)
}

function forget(choices: Partial<Preferences>): void {
  const later = Object.entries(unsaved).filter(([name, value]) => choices[name as keyof Preferences] !== value)
  unsaved = Object.fromEntries(later)
}

function show(change: Partial<Preferences>): void {
  const user = userNow()
  if (user) cacheUser({ ...user, preferences: { ...user.preferences, ...change } })
}
