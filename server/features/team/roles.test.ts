import { expect, test } from 'vitest'
import { canManage, permissions, roleCan, type TeamRole } from './roles.ts'

const roles: TeamRole[] = ['owner', 'manager', 'staff']

test('gives each role more rights than the one below', () => {
  const [owner, manager, staff] = roles.map((role) => new Set(permissions.filter((permission) => roleCan(role, permission))))
  expect(owner).toEqual(new Set(permissions))
  expect(manager?.isSubsetOf(owner as Set<unknown>)).toBe(true)
  expect(staff?.isSubsetOf(manager as Set<unknown>)).toBe(true)
  expect(new Set([owner, manager, staff].map((set) => set?.size)).size).toBe(3)
})

test('allows nothing to people without a role', () => {
  for (const permission of permissions) expect(roleCan(null, permission) || roleCan(undefined, permission)).toBe(false)
})

test.each([
  ['owner', 'manager', true],
  ['owner', 'staff', true],
  ['manager', 'staff', true],
  ['manager', 'manager', false],
  ['staff', 'staff', false],
  ['staff', 'manager', false],
] as const)('lets %s invite and remove %s: %s', (role, other, may) => {
  expect(canManage(role, other)).toBe(may)
})

test('never lets anyone remove the owner', () => {
  for (const role of roles) expect(canManage(role, 'owner')).toBe(false)
})
