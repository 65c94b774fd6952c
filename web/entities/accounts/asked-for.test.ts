import { expect, test, vi } from 'vitest'
import {
  authHeading,
  clearDeletionDate,
  consumeReturnTo,
  deletionDate,
  invitedAddress,
  isSearchPath,
  refusalAt,
  saveDeletionDate,
  saveReturnTo,
  signInPurpose,
} from './asked-for.ts'

test.each([
  ['/business/green-hills-farm', 'see this business'],
  ['/business/0190a7c0-0000-7000-8000-000000000001?tab=posts', 'see this business'],
  ['/business-dashboard', 'see your business dashboard'],
  ['/favorites/', 'see your favorites'],
  ['/discover?search=denver#list', 'see Discover'],
  ['/events/0190a7c0-0000-7000-8000-000000000001', 'see this event'],
  ['/products?q=gummies', 'compare products near you'],
  ['/communities', 'see Communities'],
  ['/communities/growers', 'see this community'],
  ['/business/register', 'register your business'],
  ['/invitations/Ab-1_x#wren%40example.com', 'accept your invitation'],
  ['/communities/invitations/Ab1', 'accept your invitation'],
  ['/', null],
  ['/nowhere', null],
  ['/business/one/two', null],
])('gives the purpose of signing in at %s: %s', (path, name) => {
  expect(signInPurpose(path)).toBe(name)
})

test('uses the specified text to ask for sign-in', () => {
  expect(refusalAt('/settings#privacy')).toEqual({ title: 'Access Denied', text: 'Please sign in to access settings.' })
  expect(refusalAt('/profile/')?.title).toBe('Profile Not Found')
  expect(refusalAt('/favorites')?.title).toBe('Sign In Required')
  expect([refusalAt('/'), refusalAt('/messages')]).toEqual([null, null])
})

test('recognizes the addresses of search screens', () => {
  expect(['/discover?near=Denver', '/products', '/search?q=gummies'].map(isSearchPath)).toEqual([true, true, true])
  expect(['/', '/messages', '/business/discover'].map(isSearchPath)).toEqual([false, false, false])
})

test('names the requested page in the heading', () => {
  const brand = { name: 'Sungrove' }
  expect(authHeading('sign-in', '/favorites', brand)).toBe('Sign in to see your favorites')
  expect(authHeading('sign-up', '/favorites', brand)).toBe('Join Sungrove to see your favorites')
  expect(authHeading('sign-in', '/', brand)).toBe('Sign in to Sungrove')
  expect(authHeading('sign-up', '/', brand)).toBe('Join Sungrove')
})

function stubStorage() {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  })
}

test('remembers when an account will be deleted, and ignores invalid stored dates', () => {
  stubStorage()
  expect(deletionDate()).toBeNull()
  saveDeletionDate('2026-12-12T08:00:00.000Z')
  expect(deletionDate()).toEqual(new Date('2026-12-12T08:00:00Z'))
  clearDeletionDate()
  expect(deletionDate()).toBeNull()
  for (const edited of ['"soon"', '{}', 'null']) {
    sessionStorage.setItem('leaves-at', edited)
    expect(deletionDate()).toBeNull()
  }
  vi.unstubAllGlobals()
})

test('returns to the requested page once, and never leaves this site', () => {
  stubStorage()
  expect(consumeReturnTo()).toBe('/')
  saveReturnTo('/business/green-hills?tab=posts')
  expect(consumeReturnTo()).toBe('/business/green-hills?tab=posts')
  expect(consumeReturnTo()).toBe('/')
  // Pages that the sign-in heading doesn't name, such as the plans.
  for (const page of ['/sungrove', '/billing', '/pheno-hunt/one/plants/7']) {
    saveReturnTo(page)
    expect(consumeReturnTo()).toBe(page)
  }
  saveReturnTo('/favorites')
  saveReturnTo('/')
  expect(consumeReturnTo()).toBe('/')
  sessionStorage.setItem('asked-for', '"//evil.example"')
  expect(consumeReturnTo()).toBe('/')
  vi.unstubAllGlobals()
})

test.each([
  ['/invitations/Ab-1_x#wren%40example.com', 'wren@example.com'],
  ['/invitations/Ab-1_x', ''],
  ['/discover#wren%40example.com', ''],
  ['/invitations/Ab-1_x#%E0%A4%40', ''],
])('reads the invited address from %s', (returnTo, address) => {
  expect(invitedAddress(returnTo)).toBe(address)
})
