import { describe, expect, test } from 'vitest'
import { unpackPath } from '#contracts/addresses.ts'
import { makeBrand } from '#contracts/brand.ts'
import {
  existingAccountMail,
  newAddressMail,
  oldAddressMail,
  passwordChangedMail,
  reservedAddressMail,
  resetMail,
  type SignInChange,
  signInMail,
  takenAddressMail,
  unconfirmedAccountMail,
  verificationMail,
} from './accounts.mails.ts'

const brand = makeBrand({ name: 'Sungrove', supportEmail: 'support@sungrove.example', year: 2026 })
const parts = { brand, publicUrl: 'https://grove.example', to: 'ann@example.com' }
const token = '0190a1b2-0000-7000-8000-000000000000.abc_DEF-123'

const changes: SignInChange[] = [
  'password-changed',
  'business-key-created',
  'passkey-added',
  'passkey-removed',
  'key-created',
  'openid-connected',
  'openid-disconnected',
]
const mails = {
  verification: verificationMail(parts, token, null),
  'verification with a page': verificationMail(parts, token, '/business/green-leaf-dispensary'),
  reset: resetMail(parts, token, null),
  'reset with a page': resetMail(parts, token, '/business/green-leaf-dispensary'),
  existing: existingAccountMail(parts),
  unconfirmed: unconfirmedAccountMail(parts, token, '/business/green-leaf-dispensary'),
  changed: passwordChangedMail(parts, { passkeys: [], keys: [], businessKeys: [], removedOthers: true }),
  'changed with passkeys and keys': passwordChangedMail(parts, {
    passkeys: ['My phone', 'Desk key'],
    keys: ['Field Book'],
    businessKeys: ['Front register'],
    removedOthers: false,
  }),
  'reserved address': reservedAddressMail(parts, new Date('2026-12-07T10:00:00Z')),
  'new address': newAddressMail(parts, token),
  'taken address': takenAddressMail(parts),
  'asked for another address': oldAddressMail(parts, { token, isDone: false }),
  'another address': oldAddressMail(parts, { token, isDone: true }),
  ...Object.fromEntries(changes.map((change) => [change, signInMail(parts, change)])),
}

describe.each(Object.entries(mails))('the %s email', (_name, mail) => {
  test('goes to the address’s owner with a single-line subject', () => {
    expect(mail.to).toBe('ann@example.com')
    expect(mail.subject).toMatch(/^Sungrove: [A-Za-z’ ]+$/)
  })

  test('doesn’t reveal what the site is about', () => {
    expect(`${mail.subject} ${mail.text}`).not.toMatch(/cannabis|weed|marijuana|hemp|dispensar|strain|grow|420|thc|cbd/i)
    expect(mail.text).not.toContain(brand.tagline)
  })

  test('links only to this site', () => {
    const links = mail.text.match(/https?:\/\/\S+/g) ?? []
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) expect(new URL(link).origin).toBe('https://grove.example')
  })

  test('names a contact address', () => {
    expect(mail.text).toContain('support@sungrove.example')
  })
})

test('includes the token in links to the web app’s pages', () => {
  expect(mails.verification.text).toContain(`\nhttps://grove.example/auth/verify?token=${token}\n`)
  for (const each of [mails['verification with a page'], mails.unconfirmed]) {
    const [, next] = /\?token=\S+&next=(\S+)\n/.exec(each.text) ?? []
    expect(unpackPath(next)).toBe('/business/green-leaf-dispensary')
  }
  expect(mails.unconfirmed.text).toContain(`\nhttps://grove.example/auth/reset?token=${token}&next=`)
  expect(mails.reset.text).toContain(`\nhttps://grove.example/auth/reset?token=${token}\n`)
  expect(mails['new address'].text).toContain(`\nhttps://grove.example/auth/verify?token=${token}&kind=new-email\n`)
  for (const each of [mails['another address'], mails['asked for another address']]) {
    expect(each.text).toContain(`\nhttps://grove.example/auth/verify?token=${token}&kind=undo-email\n`)
  }
})
