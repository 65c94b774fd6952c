import { expect, test } from 'vitest'
import { actorOf } from '../../tests/support/actors.ts'
import { requireAccess } from './actor.ts'

const leaving = actorOf('somebody', { leavesAt: new Date('2026-12-05T12:00:00Z') })

test('whoever is about to leave does what keeps the account, and nothing else', () => {
  for (const access of ['account', 'member', 'moderator', 'admin'] as const) {
    expect(() => requireAccess({ access }, leaving)).toThrow('This account is to be deleted on 2026-12-05. Keep it to go on.')
  }
  expect(() => requireAccess({ access: 'account', whileLeaving: true }, leaving)).not.toThrow()
  expect(() => requireAccess({ access: 'public' }, leaving)).not.toThrow()
})

test('showing the second factor comes before that', () => {
  const owing = { ...leaving, owesSecondFactor: true }
  expect(() => requireAccess({ access: 'account', beforeSecondFactor: true }, owing)).not.toThrow()
  expect(() => requireAccess({ access: 'account', whileLeaving: true }, owing)).toThrow('Enter the code')
})
