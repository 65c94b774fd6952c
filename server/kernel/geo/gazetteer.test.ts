import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { distanceMiles } from './distance.ts'
import { cityCenter, cityPlace, findCity, findPlace, findZip, nameIndex } from './gazetteer.ts'
import { isInState } from './state-shapes.ts'
import { usStates } from './us-states.ts'

const lines = readFileSync(new URL('../../../data/places-us.csv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)

describe('findZip', () => {
  test('finds a ZIP code with or without its four extra digits', () => {
    expect(findZip('80202')).toMatchObject({ id: '80202', kind: 'zip', name: '80202', state: 'CO', label: 'Denver, CO 80202' })
    expect(findZip(' 80202-1234 ')).toEqual(findZip('80202'))
  })

  test('accepts leading zeros', () => {
    expect(findZip('02108')?.label).toBe('Boston, MA 02108')
    expect(findZip('00901')?.state).toBe('PR')
  })

  test.each(['00000', '99999', '8020', '802021', 'abcde', ''])('finds no ZIP code in %j', (zip) => {
    expect(findZip(zip)).toBeNull()
  })
})

describe('findCity', () => {
  test.each([
    ['denver', 'co', 'Denver, CO'],
    ['Saint Louis', 'MO', 'St. Louis, MO'],
    ['ST.LOUIS', 'MO', 'St. Louis, MO'],
    ['Ft. Collins', 'CO', 'Fort Collins, CO'],
    ['Mt Pleasant', 'MI', 'Mount Pleasant, MI'],
    ['Winston Salem', 'NC', 'Winston-Salem, NC'],
    ["Coeur D'Alene", 'ID', "Coeur d'Alene, ID"],
    ['Mcminnville', 'OR', 'McMinnville, OR'],
    ['Mc Lean', 'VA', 'McLean, VA'],
    ['Canon City', 'CO', 'Cañon City, CO'],
    ['Bronx', 'NY', 'The Bronx, NY'],
    ['New York City', 'NY', 'New York, NY'],
    ['N. Adams', 'MA', 'North Adams, MA'],
    ['Tyngsborough', 'MA', 'Tyngsboro, MA'],
  ])('finds %s, %s', (name, state, label) => {
    expect(findCity(name, state)?.label).toBe(label)
  })

  test('finds villages known only by their ZIP code', () => {
    expect(findCity('Clam Gulch', 'AK')).toMatchObject({ id: 'clam-gulch-ak', state: 'AK' })
    expect(findCity('Clam Gulch', 'AK')).not.toHaveProperty('population')
  })

  test('finds the most populous of several namesakes, and any other by its county', () => {
    const oakland = findCity('Oakland', 'PA')!
    expect(oakland.label).toBe('Oakland, PA')
    const lesser = findPlace('oakland-pa-susquehanna')!
    expect(lesser.label).toBe('Oakland, PA (Susquehanna County)')
    expect(lesser.population!).toBeLessThan(oakland.population!)
    expect(distanceMiles(oakland, lesser)).toBeGreaterThan(20)
  })

  test('finds nothing in another state or by half a name', () => {
    expect(findCity('Denver', 'UT')).toBeNull()
    expect(findCity('Denv', 'CO')).toBeNull()
    expect(findCity('', 'CO')).toBeNull()
  })

  test('returns a city’s center', () => {
    expect(cityCenter('Denver', 'CO')).toEqual({ latitude: 39.7392, longitude: -104.9847 })
    expect(cityCenter('Nowhere', 'CO')).toBeNull()
  })
})

describe('findPlace', () => {
  test.each(['denver-co', '80202', 'colorado', 'st-louis-mo', 'winston-salem-nc', 'coeur-dalene-id', 'district-of-columbia'])(
    'finds %s',
    (id) => {
      expect(findPlace(id)?.id).toBe(id)
    },
  )

  test.each(['', 'denver', 'denver-xx', 'co', 'denver-co-boulder', '-co', 'denver-co-', '__proto__'])('finds no place in %j', (id) => {
    expect(findPlace(id)).toBeNull()
  })

  test('returns a state with its box', () => {
    expect(findPlace('new-york')).toMatchObject({ kind: 'state', label: 'New York', boundingBox: { south: expect.closeTo(40.5, 1) } })
  })
})

describe('the gazetteer file', () => {
  const cities = lines.filter((line) => line.startsWith(','))

  test('has cities, largest first, and ZIP codes for every state', () => {
    expect(cities.length).toBeGreaterThan(30_000)
    expect(lines.length - cities.length).toBeGreaterThan(40_000)
    const states = (rows: string[]) => new Set(rows.map((row) => row.split(',')[2]))
    const codes = new Set(usStates.map((state) => state.code))
    expect(states(cities)).toEqual(codes)
    expect(states(lines.slice(cities.length))).toEqual(codes)
    const populations = cities.map((row) => Number(row.split(',')[6]))
    expect(populations).toEqual(populations.toSorted((a, b) => b - a))
  })

  test('has eight plain columns per line', () => {
    expect(lines.filter((line) => line.split(',').length !== 8 || /["\r\t]/.test(line))).toEqual([])
  })

  test('has places inside their states, except for islands missing from the simplified shapes', () => {
    const astray = lines.filter((line) => {
      const [, , state, , latitude, longitude] = line.split(',')
      return !isInState(Number(latitude), Number(longitude), state!)
    })
    expect(astray.length).toBeLessThan(10)
  })

  test('lists every ZIP code’s city as a city', () => {
    const unknown = lines.slice(cities.length).filter((line) => findCity(line.split(',')[1]!, line.split(',')[2]!) === null)
    expect(unknown).toEqual([])
  })

  test('has a unique ID for every city that leads back to it', () => {
    const ids = new Set<string>()
    const numbers = new Set(nameIndex().cities)
    for (const number of numbers) {
      const place = cityPlace(number)
      ids.add(place.id)
      if (findPlace(place.id)?.label !== place.label) throw new Error(`${place.id} does not lead to ${place.label}`)
    }
    expect(ids.size).toBe(cities.length)
  })
})
