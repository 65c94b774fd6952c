import { expect, test } from 'vitest'
import type { QueuedWrite } from './queued-write.ts'
import { statusOf } from './status-words.ts'

const waits = { hold: null } as QueuedWrite
const held = { hold: { kind: 'refused', message: '', fields: {} } } as unknown as QueuedWrite

test.each([
  [[], false, 'online', 'Synced', 'Everything is synced.'],
  [[waits], false, 'online', '1 waiting', '1 entry is on the way.'],
  [[waits, waits, waits], false, 'online', '3 waiting', '3 entries are on the way.'],
  [[], false, 'offline', 'Offline', 'Offline. What you write waits on this device.'],
  [[waits, waits], false, 'offline', 'Offline, 2 waiting', 'Offline. 2 entries wait on this device for a network.'],
  [[held], false, 'offline', 'Needs you', '1 entry needs you.'],
  [[held, held, waits], false, 'online', '2 need you', '2 entries need you. 1 entry more waits to sync.'],
  [[waits], true, 'online', 'Sign in to sync', '1 entry waits until you sign in again.'],
  [[], true, 'online', 'Synced', 'Everything is synced.'],
] as const)('%j, signed out %s, %s: %s', (waiting, isSignedOut, reach, text, sentence) => {
  expect(statusOf({ waiting, isSignedOut }, reach)).toMatchObject({ text, sentence })
})
