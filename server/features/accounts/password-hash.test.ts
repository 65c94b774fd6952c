import { describe, expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './auth.ts'

/** Made by better-auth 1.7.7, which hashed passwords here before. */
const formerHashes = [
  [
    'seven green terraces at dawn',
    'a2763f378c48fda39930d9e1533a098f:6aa82b087a06b841e28eff3de693f512b5b900df7b95e1682cdcf0e8d2598a474f39ca3df47d3ffc78938140106ebdbdf6f644eecec06058e353f845797fd85e',
  ],
  [
    'pässwörd ﬁne Ⅳ',
    'e8ff672d6b78ac7af8810699493cda3b:e3e26f6544c488211a59e38210834916ee879820a2a2cf1d00ef1477d3ae5206093701744ef8aa46e873e0217264de128254d61b214ec8ec187c429cba8f23cd',
  ],
  [
    '🌿 emoji and spaces ',
    '49c993f4c975cd2697c7da2544ea99ae:93e1138db639f47b220c5a0737183c8d8cd4cbb1844e0d6290a11eab095864cc28ca394067cdf61d25f87426b0a95a82b61651c692f05da3991286654729b73a',
  ],
] as const

describe('a password hash', () => {
  test.each(formerHashes)('still verifies a password hashed by an earlier release: %s', async (password, hash) => {
    expect(await verifyPassword(password, hash)).toBe(true)
    expect(await verifyPassword(`${password}.`, hash)).toBe(false)
  })

  test('has the same format as earlier hashes and a unique salt', async () => {
    const [one, other] = [await hashPassword('four words of it'), await hashPassword('four words of it')]
    expect(one).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/)
    expect(other).not.toBe(one)
    expect(await verifyPassword('four words of it', one)).toBe(true)
    expect(await verifyPassword('four words of IT', one)).toBe(false)
  })

  test('verifies a password however the keyboard composes its characters', async () => {
    expect(await verifyPassword('pässwörd fine IV', formerHashes[1][1])).toBe(true)
    expect(await verifyPassword('pässwörd fine IV'.normalize('NFD'), formerHashes[1][1])).toBe(true)
  })

  test.each(['', 'abc', `${'0'.repeat(32)}:`, `${'0'.repeat(32)}:00`])('causes an error if it is malformed: %j', async (hash) => {
    await expect(verifyPassword('anything', hash)).rejects.toThrow('malformed')
  })

  test('is computed without blocking the main thread', async () => {
    let ticks = 0
    const timer = setInterval(() => ticks++, 1)
    await Promise.all([1, 2, 3, 4].map((each) => hashPassword(`password ${each}`)))
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(3)
  })
})
