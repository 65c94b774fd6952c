import { ApiError } from '#web/lib/api-error.ts'
import { createListeners, createStore } from '#web/lib/store.ts'

/**
 * As of the last call. `navigator.onLine` is only a hint, because a phone in a basement may be connected to a network without a working
 * link.
 */
export type Connectivity = 'online' | 'offline'

export const connectivity = createStore<Connectivity>(navigator.onLine ? 'online' : 'offline')

/** Runs when the server confirms which account is signed in. */
export const accountConfirmed = createListeners<[account: string]>()

/** True if the device is offline, the call timed out, the server is unavailable, or something else responded, such as a proxy. */
export function isUnreachableError(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === null || error.status === 503
  return error instanceof TypeError || error instanceof SyntaxError || (error instanceof DOMException && error.name === 'TimeoutError')
}
