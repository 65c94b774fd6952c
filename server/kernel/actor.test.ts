import { expect, test } from 'vitest'
import { actorOf } from '#tests/support/actors.ts'
import { requireAccess } from './actor.ts'

const leaving = actorOf('someone', { leavesAt: new Date('2026-12-05T12:00:00Z') })

test('lets a person whose account will be deleted only make public calls and cancel the deletion', () => {
  for (const access of ['account', 'member', 'moderator', 'admin'] as const) {
    expect(() => requireAccess({ access }, leaving)).toThrow('This account will be deleted on 2026-12-05. Keep it to continue.')
  }
  expect(() => requireAccess({ access: 'account', whileLeaving: true }, leaving)).not.toThrow()
  expect(() => requireAccess({ access: 'public' }, leaving)).not.toThrow()
})

test('requires the second factor first', () => {
  const owing = { ...leaving, owesSecondFactor: true }
  expect(() => requireAccess({ access: 'account', beforeSecondFactor: true }, owing)).not.toThrow()
  expect(() => requireAccess({ access: 'account', whileLeaving: true }, owing)).toThrow('First enter the code')
})
