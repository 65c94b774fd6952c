import { expect, it } from 'vitest'
import { disambiguateNames } from './businesses.queries.ts'

const business = (id: string, name: string, location: string | null = null, address: string | null = null) => ({
  ...{ id, name, location, address },
})

it('leaves unique names as they are', () => {
  expect([...disambiguateNames([business('a', 'The Dab', 'Denver, CO'), business('b', 'Zips', 'Denver, CO')]).values()]).toEqual([
    'The Dab',
    'Zips',
  ])
})

it('adds the city, and also the street if the city is the same', () => {
  const labels = disambiguateNames([
    business('a', 'Zips', 'Denver, CO', '1 Main St'),
    business('b', 'zips', 'Denver, CO', '9 Pearl St'),
    business('c', 'Zips', 'Boulder, CO', '1 Main St'),
    business('d', 'Zips'),
  ])
  expect([...labels.values()]).toEqual(['Zips, Denver, CO, 1 Main St', 'zips, Denver, CO, 9 Pearl St', 'Zips, Boulder, CO', 'Zips'])
})
