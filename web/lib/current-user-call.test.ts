import { expect, test } from 'vitest'
import { getCurrentUser } from '#contracts/accounts.endpoints.ts'
import { currentUserCall } from './current-user-call.ts'

test('matches the declared call of the first load', () => {
  expect(getCurrentUser).toMatchObject(currentUserCall)
})
