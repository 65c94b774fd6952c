import { expect, it } from 'vitest'
import { canHavePasskeys, requirePasskeys, userHandleOf } from './passkeys.ts'

const at = (publicUrl: string) => ({ config: { publicUrl } })

it.each([
  ['https://grove.example', true],
  ['https://grove.example:8443', true],
  ['http://localhost:3000', true],
  ['http://grove.example', false],
  ['https://192.0.2.7', false],
  ['https://[2001:db8::7]', false],
])('decides whether %s can have passkeys: %s', (publicUrl, expected) => {
  expect(canHavePasskeys(at(publicUrl))).toBe(expected)
  if (expected) requirePasskeys(at(publicUrl))
  else expect(() => requirePasskeys(at(publicUrl))).toThrow(/need a domain name/)
})

it('identifies the account to a device by its 16-byte ID', () => {
  expect(Buffer.from(userHandleOf('0190a1b2-0000-7000-8000-000000000001'), 'base64url')).toHaveLength(16)
  expect(userHandleOf('0190a1b2-0000-7000-8000-000000000001')).not.toBe(userHandleOf('0190a1b2-0000-7000-8000-000000000002'))
})
