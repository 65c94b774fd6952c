import { useCurrentUser } from '#web/lib/current-user.ts'
import { createStore, useStore } from '#web/lib/store.ts'

const key = 'runs-business'

/** The account on this device that is known to run a business. Asking the server on every page would cost a request. */
const known = createStore<string | null>(stored())

function stored(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // Storage may be blocked, or there is none during server rendering.
    return null
  }
}

/** Call whenever the person's businesses are known. */
export function rememberRunning(userId: string, runsBusiness: boolean): void {
  if (!runsBusiness && known.get() !== userId) return
  known.set(runsBusiness ? userId : null)
  try {
    if (runsBusiness) localStorage.setItem(key, userId)
    else localStorage.removeItem(key)
  } catch {
    // Storage is blocked; it's known until the page closes.
  }
}

/** Business accounts, and people on a team once this device has seen one of their businesses. */
export function useRunsBusiness(): boolean {
  const user = useCurrentUser()
  const runner = useStore(known)
  return user !== null && (user.userType === 'business' || runner === user.id)
}
