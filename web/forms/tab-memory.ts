import { boot } from '#web/lib/boot.ts'
import { currentUserOptions } from '#web/lib/current-user.ts'
import { queryClient } from '#web/lib/query-client.ts'

/** Names of items that store what people write. Someone else who signs in on this tab must not see them. */
const draftNames = /^((draft|uploads|comment|hunt-comment|menu-edits|creation-key)\.|quick-log:|guide-question$)/
/** The account of the person who last used drafts in this tab. Drafts last while no one is signed in. */
const ownerName = 'drafts-of'

/** Keeps drafts that have the current or the previous account in their name, because only the person with that account sees them. */
function removeDraftsOfOthers() {
  const user = queryClient.getQueryData(currentUserOptions.queryKey)
  const id = (user === undefined ? boot.user : user)?.id
  if (!id) return
  const owner = sessionStorage.getItem(ownerName)
  if (owner === id) return
  sessionStorage.setItem(ownerName, id)
  if (owner === null) return
  for (const name of Object.keys(sessionStorage)) {
    if (draftNames.test(name) && !name.includes(id) && !name.includes(owner)) sessionStorage.removeItem(name)
  }
}

/** Does nothing if the browser blocks session storage. */
export function setTabItem(name: string, value: unknown): void {
  try {
    removeDraftsOfOthers()
    sessionStorage.setItem(name, JSON.stringify(value))
  } catch {
    // Storage is optional, so the page works without it.
  }
}

/** People can edit their browser's storage, so validate this. */
export function getTabItem(name: string): unknown {
  try {
    removeDraftsOfOthers()
    const text = sessionStorage.getItem(name)
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

export function removeTabItem(name: string): void {
  try {
    sessionStorage.removeItem(name)
  } catch {
    // Storage is unavailable, so nothing was stored.
  }
}
