import { ApiError } from '#web/lib/api-error.ts'

/**
 * Whether the server responds, as last observed. `navigator.onLine` is only a hint: a phone in a basement may be connected to a network
 * without a working link.
 */
export type Reach = 'online' | 'offline'

let reach: Reach = navigator.onLine ? 'online' : 'offline'
const listeners = new Set<() => void>()

export const getReach = (): Reach => reach

export function reportReach(seen: Reach): void {
  if (seen === reach) return
  reach = seen
  for (const listener of listeners) listener()
}

export function onReach(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const confirmedListeners = new Set<(account: string) => void>()

/** The server confirmed who is signed in. */
export function reportAccount(account: string): void {
  for (const listener of confirmedListeners) listener(account)
}

export function onConfirmed(listener: (account: string) => void): () => void {
  confirmedListeners.add(listener)
  return () => void confirmedListeners.delete(listener)
}

/** Whether a call failed to reach the server: offline, timed out, or answered by something else such as a proxy. */
export function isNoAnswer(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === null || error.status === 503
  return error instanceof TypeError || error instanceof SyntaxError || (error instanceof DOMException && error.name === 'TimeoutError')
}
