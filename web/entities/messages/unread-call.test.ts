import { expect, test } from 'vitest'
import { getUnreadMessages } from '#contracts/messages.endpoints.ts'
import { unreadCall } from './unread-call.ts'

test('matches the declared call', () => {
  expect(getUnreadMessages).toMatchObject(unreadCall)
})
