import { expect, it } from 'vitest'
import { nearHome, whereWords } from './near-home.ts'

it('asks for results near a known place only', () => {
  expect(nearHome({ location: 'Denver, CO', isLocationKnown: true })).toEqual({ near: 'Denver, CO' })
  expect(nearHome({ location: 'my basement', isLocationKnown: false })).toEqual({})
  expect(nearHome({ location: null, isLocationKnown: false })).toEqual({})
  expect(nearHome(null)).toEqual({})
})

it('says where a city and a state are', () => {
  expect(whereWords('Denver, CO')).toBe('near Denver')
  expect(whereWords('Colorado')).toBe('in Colorado')
})
