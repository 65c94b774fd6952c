import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSeenLicenses } from './import-licenses.ts'

it('returns the line where each license first appeared', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 200 }), (keys) => {
      const seen = createSeenLicenses()
      const model = new Map<string, number>()
      keys.forEach((key, i) => {
        expect(seen.add(key, i + 1)).toBe(model.get(key) ?? 0)
        if (!model.has(key)) model.set(key, i + 1)
      })
      expect(seen.size).toBe(model.size)
      for (const key of keys) expect(seen.has(key)).toBe(true)
      expect(seen.has('never added')).toBe(false)
    }),
  )
})

it('grows without losing entries', () => {
  const seen = createSeenLicenses()
  for (let i = 1; i <= 20_000; i++) seen.add(`CO:${i}`, i)
  expect(seen.add('CO:1', 99)).toBe(1)
  expect(seen.add('CO:20000', 99)).toBe(20_000)
  expect(seen.size).toBe(20_000)
})
