import { expect, test } from 'vitest'
import type { QueuedWrite } from './outbox.ts'
import { statusOf } from './sync.ts'

const waits = { hold: null } as QueuedWrite
const held = { hold: { kind: 'refused', message: '', fields: {} } } as unknown as QueuedWrite

test.each([
  [[], false, 'online', 'Synced', 'Everything is synced.'],
  [[waits], false, 'online', '1 waiting', 'Sending 1 entry.'],
  [[waits, waits, waits], false, 'online', '3 waiting', 'Sending 3 entries.'],
  [[], false, 'offline', 'Offline', 'Offline. New entries are saved on this device.'],
  [[waits, waits], false, 'offline', 'Offline, 2 waiting', 'Offline. 2 entries are waiting on this device for a connection.'],
  [[held], false, 'offline', 'Needs attention', '1 entry needs your attention.'],
  [[held, held, waits], false, 'online', '2 need attention', '2 entries need your attention. 1 more entry is waiting to sync.'],
  [[waits], true, 'online', 'Sign in to sync', '1 entry is waiting until you sign in again.'],
  [[], true, 'online', 'Synced', 'Everything is synced.'],
] as const)('describes the entries %j (signed out: %s, network: %s) as %j', (waiting, isSignedOut, reach, text, sentence) => {
  expect(statusOf({ waiting, isSignedOut }, reach)).toMatchObject({ text, sentence })
})
