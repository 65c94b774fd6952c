import { expect, it } from 'vitest'
import labeled from './labeled-sentences.json' with { type: 'json' }
import { differentBits, fingerprint, maxDifferentBits } from './repeats.ts'

const said = 'Come and see our new greenhouse near the river this Saturday, there is coffee for everyone and a tour at noon'
const print = (text: string) => fingerprint(text) as string

it('gives a disguised text the same fingerprint as the original', () => {
  expect(differentBits(print(said), print(said.toUpperCase().replaceAll(',', ' -')))).toBe(0)
  expect(differentBits(print(said), print(said.replace('coffee', 'c\u200bоffee')))).toBe(0)
  expect(differentBits(print(said), print(`${said} !!! 🌿`))).toBe(0)
})

it('gives nearly identical texts similar fingerprints', () => {
  const long = `${said}. ${said.replace('Saturday', 'Sunday')}. Bring your boots and your questions about soil, light and water, we will answer all of them.`
  expect(differentBits(print(long), print(long.replace('boots', 'gloves')))).toBeLessThanOrEqual(maxDifferentBits)
})

it('gives different texts clearly different fingerprints', () => {
  const prints = labeled.groups.flatMap(({ sentences }) => sentences.flatMap((sentence) => fingerprint(sentence) ?? []))
  expect(prints.length).toBeGreaterThan(40)
  const near = prints.flatMap((one, i) => prints.slice(i + 1).filter((other) => differentBits(one, other) <= maxDifferentBits))
  expect(near).toEqual([])
})

it('gives short, common texts no fingerprint', () => {
  expect(fingerprint('Thank you, beautiful plant!')).toBeNull()
  expect(fingerprint(said)).toMatch(/^[0-9a-f]{16}$/)
})
