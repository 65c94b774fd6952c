import type { Reach } from './reach.ts'
import type { SyncState } from './sync.ts'

export type SyncStatus = {
  kind: 'needs you' | 'offline' | 'waiting' | 'synced'
  text: string
  sentence: string
}

const entries = (count: number) => (count === 1 ? '1 entry' : `${count} entries`)

/** Overall status. Entries needing a decision come first. */
export function statusOf({ waiting, isSignedOut }: Pick<SyncState, 'waiting' | 'isSignedOut'>, reach: Reach): SyncStatus {
  const held = waiting.filter(({ hold }) => hold !== null).length
  const rest = waiting.length - held
  if (held > 0) {
    const others = rest > 0 ? ` ${entries(rest)} more ${rest === 1 ? 'waits' : 'wait'} to sync.` : ''
    return {
      kind: 'needs you',
      text: held === 1 ? 'Needs attention' : `${held} need attention`,
      sentence: `${entries(held)} ${held === 1 ? 'needs' : 'need'} your attention.${others}`,
    }
  }
  if (isSignedOut && rest > 0) {
    return {
      kind: 'needs you',
      text: 'Sign in to sync',
      sentence: `${entries(rest)} ${rest === 1 ? 'is' : 'are'} waiting until you sign in again.`,
    }
  }
  if (reach === 'offline') {
    const text = rest > 0 ? `Offline, ${rest} waiting` : 'Offline'
    const what =
      rest > 0
        ? `${entries(rest)} ${rest === 1 ? 'is' : 'are'} waiting on this device for a connection.`
        : 'New entries wait on this device.'
    return { kind: 'offline', text, sentence: `Offline. ${what}` }
  }
  if (rest > 0) return { kind: 'waiting', text: `${rest} waiting`, sentence: `Sending ${entries(rest)}.` }
  return { kind: 'synced', text: 'Synced', sentence: 'Everything is synced.' }
}

/** "Offline. Read 2 hours ago." */
export const readAgo = (ago: string, reach: Reach): string =>
  reach === 'offline' ? `Offline. Last updated ${ago}.` : `Last updated ${ago}. The server isn’t responding yet.`
