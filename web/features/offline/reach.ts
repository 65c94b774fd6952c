/**
 * Whether the server answers, as far as anybody has seen. The browser's own word for it is a hint alone: in a basement a phone is connected
 * to a network through which nothing comes.
 */
export type Reach = 'online' | 'offline'

let reach: Reach = navigator.onLine ? 'online' : 'offline'
const listeners = new Set<() => void>()

export const getReach = (): Reach => reach

/** What a call has shown: it was answered, or it was not. */
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

/** The server has said who is signed in. */
export function reportAccount(account: string): void {
  for (const listener of confirmedListeners) listener(account)
}

export function onConfirmed(listener: (account: string) => void): () => void {
  confirmedListeners.add(listener)
  return () => void confirmedListeners.delete(listener)
}
