import { expect, it } from 'vitest'
import labelled from './labelled-sentences.json' with { type: 'json' }
import { differentBits, fingerprint, mostDifferentBits } from './repeats.ts'

const said = 'Come and see our new greenhouse near the river this Saturday, there is coffee for everybody and a tour at noon'
const print = (text: string) => fingerprint(text) as string

it('is the same for the same words, however they are dressed up', () => {
  expect(differentBits(print(said), print(said.toUpperCase().replaceAll(',', ' -')))).toBe(0)
  expect(differentBits(print(said), print(said.replace('coffee', 'c\u200bоffee')))).toBe(0)
  expect(differentBits(print(said), print(`${said} !!! 🌿`))).toBe(0)
})

it('is nearly the same for nearly the same words', () => {
  const long = `${said}. ${said.replace('Saturday', 'Sunday')}. Bring your boots and your questions about soil, light and water, we will answer all of them.`
  expect(differentBits(print(long), print(long.replace('boots', 'gloves')))).toBeLessThanOrEqual(mostDifferentBits)
})

it('tells other texts apart', () => {
  const prints = labelled.groups.flatMap(({ sentences }) => sentences.flatMap((sentence) => fingerprint(sentence) ?? []))
  expect(prints.length).toBeGreaterThan(40)
  const near = prints.flatMap((one, i) => prints.slice(i + 1).filter((other) => differentBits(one, other) <= mostDifferentBits))
  expect(near).toEqual([])
})

it('says nothing of short texts, which everybody repeats', () => {
  expect(fingerprint('Thank you, beautiful plant!')).toBeNull()
  expect(fingerprint(said)).toMatch(/^[0-9a-f]{16}$/)
})
