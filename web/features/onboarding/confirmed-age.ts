import { confirmAge } from '../../../contracts/accounts.ts'
import { call } from '../../lib/call.ts'
import { keepUser } from '../../lib/current-user.ts'

const key = 'age-confirmed'

/** Whether the gate was passed in this browser, in any of its tabs. Storage can be refused (blocked cookies): then it is not known. */
export function hasConfirmedAgeHere(): boolean {
  try {
    return localStorage.getItem(key) === 'true'
  } catch {
    return false
  }
}

export function confirmAgeHere(): void {
  try {
    localStorage.setItem(key, 'true')
  } catch {
    // The account remembers it, too.
  }
}

/** Where it fails, the browser remembers it, and the next visit tries again. */
export const confirmAgeOfAccount = (): Promise<void> => call(confirmAge, {}).then(keepUser, () => undefined)
