import { expect, test, vi } from 'vitest'
import { askedFor, authHeading, invitedAddress, refusalAt, rememberAskedFor, takeAskedFor } from './asked-for.ts'

test.each([
  ['/business/green-hills-farm', 'see this business'],
  ['/business/0190a7c0-0000-7000-8000-000000000001?tab=posts', 'see this business'],
  ['/business-dashboard', 'see your business dashboard'],
  ['/favorites/', 'see your favorites'],
  ['/discover?search=denver#list', 'see Discover'],
  ['/communities', 'see Communities'],
  ['/communities/growers', 'see this community'],
  ['/business/register', 'register your business'],
  ['/invitations/Ab-1_x#wren%40example.com', 'accept your invitation'],
  ['/communities/invitations/Ab1', 'accept your invitation'],
  ['/', null],
  ['/nowhere', null],
  ['/business/one/two', null],
])('invites at %s to %s', (path, name) => {
  expect(askedFor(path)).toBe(name)
})

test('uses the specified words to ask for sign-in', () => {
  expect(refusalAt('/settings#privacy')).toEqual({ title: 'Access Denied', text: 'Please sign in to access settings.' })
  expect(refusalAt('/profile/')?.title).toBe('Profile Not Found')
  expect(refusalAt('/favorites')?.title).toBe('Sign In Required')
  expect([refusalAt('/'), refusalAt('/messages')]).toEqual([null, null])
})

test('names the requested page in the heading', () => {
  const brand = { name: 'Sungrove' }
  expect(authHeading('sign-in', '/favorites', brand)).toBe('Sign in to see your favorites')
  expect(authHeading('sign-up', '/favorites', brand)).toBe('Join Sungrove to see your favorites')
  expect(authHeading('sign-in', '/', brand)).toBe('Sign in to Sungrove')
  expect(authHeading('sign-up', '/', brand)).toBe('Join Sungrove')
})

test('returns to the requested page once and never off this site', () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  })
  expect(takeAskedFor()).toBe('/')
  rememberAskedFor('/business/green-hills?tab=posts')
  expect(takeAskedFor()).toBe('/business/green-hills?tab=posts')
  expect(takeAskedFor()).toBe('/')
  rememberAskedFor('/favorites')
  rememberAskedFor('/')
  expect(takeAskedFor()).toBe('/')
  sessionStorage.setItem('asked-for', '"//evil.example"')
  expect(takeAskedFor()).toBe('/')
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
