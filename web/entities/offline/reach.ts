import { ApiError } from '#web/lib/api-error.ts'
import { createListeners, createStore } from '#web/lib/store.ts'

/**
 * Whether the server responds, as last observed. `navigator.onLine` is only a hint: a phone in a basement may be connected to a network
 * without a working link.
 */
export type Reach = 'online' | 'offline'

export const reach = createStore<Reach>(navigator.onLine ? 'online' : 'offline')

/** Notified with the account when the server confirms who is signed in. */
export const confirmed = createListeners<[account: string]>()

/** Whether a call failed to reach the server: offline, timed out, or answered by something else such as a proxy. */
export function isNoAnswer(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === null || error.status === 503
  return error instanceof TypeError || error instanceof SyntaxError || (error instanceof DOMException && error.name === 'TimeoutError')
}
