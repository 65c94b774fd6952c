import { expect, it } from 'vitest'
import { drawJarNames, shuffled } from './write-panels.ts'

it('draws one distinct name per jar', () => {
  const letters = drawJarNames(40, 'letters')
  expect(new Set(letters).size).toBe(40)
  for (const name of letters) expect(name).toMatch(/^[BCDFGHJKMNPRSTVWXZ]{3}$/)
  const digits = drawJarNames(40, 'digits')
  expect(new Set(digits).size).toBe(40)
  for (const name of digits) expect(name).toMatch(/^[1-9]\d$/)
})

it('reveals nothing through the order of names', () => {
  const items = Array.from({ length: 6 }, (_, i) => i)
  const places = new Set<number>()
  for (let i = 0; i < 400; i++) {
    const order = shuffled(items)
    expect(order.toSorted((a, b) => a - b)).toEqual(items)
    places.add(order.indexOf(0))
  }
  expect([...places].sort()).toEqual(items)
})
