import { expect, test } from 'vitest'
import { getCurrentUser } from '../../contracts/accounts.ts'
import { currentUserCall } from './current-user-call.ts'

test('the call of the first load is the declared one', () => {
  expect(getCurrentUser).toMatchObject(currentUserCall)
})
