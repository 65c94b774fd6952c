import { expect, it } from 'vitest'
import { nearHome, whereWords } from './near-home.ts'

it('requests nearby results only for a known place', () => {
  expect(nearHome({ location: 'Denver, CO', isLocationKnown: true })).toEqual({ near: 'Denver, CO' })
  expect(nearHome({ location: 'my basement', isLocationKnown: false })).toEqual({})
  expect(nearHome({ location: null, isLocationKnown: false })).toEqual({})
  expect(nearHome(null)).toEqual({})
})

it('uses “near” for a city and “in” for a state', () => {
  expect(whereWords('Denver, CO')).toBe('near Denver')
  expect(whereWords('Colorado')).toBe('in Colorado')
})
