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
  test('a ZIP code, with and without its four more digits', () => {
    expect(findZip('80202')).toMatchObject({ id: '80202', kind: 'zip', name: '80202', state: 'CO', label: 'Denver, CO 80202' })
    expect(findZip(' 80202-1234 ')).toEqual(findZip('80202'))
  })

  test('leading zeros', () => {
    expect(findZip('02108')?.label).toBe('Boston, MA 02108')
    expect(findZip('00901')?.state).toBe('PR')
  })

  test.each(['00000', '99999', '8020', '802021', 'abcde', ''])('%j is none', (zip) => {
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
  ])('%s, %s', (name, state, label) => {
    expect(findCity(name, state)?.label).toBe(label)
  })

  test('villages that are only known by their ZIP code', () => {
    expect(findCity('Clam Gulch', 'AK')).toMatchObject({ id: 'clam-gulch-ak', state: 'AK' })
    expect(findCity('Clam Gulch', 'AK')).not.toHaveProperty('population')
  })

  test('the most populous of namesakes; the others by their county', () => {
    const oakland = findCity('Oakland', 'PA')!
    expect(oakland.label).toBe('Oakland, PA')
    const lesser = findPlace('oakland-pa-susquehanna')!
    expect(lesser.label).toBe('Oakland, PA (Susquehanna County)')
    expect(lesser.population!).toBeLessThan(oakland.population!)
    expect(distanceMiles(oakland, lesser)).toBeGreaterThan(20)
  })

  test('not in another state, nor by half its name', () => {
    expect(findCity('Denver', 'UT')).toBeNull()
    expect(findCity('Denv', 'CO')).toBeNull()
    expect(findCity('', 'CO')).toBeNull()
  })

  test('cityCenter', () => {
    expect(cityCenter('Denver', 'CO')).toEqual({ latitude: 39.7392, longitude: -104.9847 })
    expect(cityCenter('Nowhere', 'CO')).toBeNull()
  })
})

describe('findPlace', () => {
  test.each(['denver-co', '80202', 'colorado', 'st-louis-mo', 'winston-salem-nc', 'coeur-dalene-id', 'district-of-columbia'])(
    '%s',
    (id) => {
      expect(findPlace(id)?.id).toBe(id)
    },
  )

  test.each(['', 'denver', 'denver-xx', 'co', 'denver-co-boulder', '-co', 'denver-co-', '__proto__'])('%j is none', (id) => {
    expect(findPlace(id)).toBeNull()
  })

  test('a state has its box', () => {
    expect(findPlace('new-york')).toMatchObject({ kind: 'state', label: 'New York', boundingBox: { south: expect.closeTo(40.5, 1) } })
  })
})

describe('the file', () => {
  const cities = lines.filter((line) => line.startsWith(','))

  test('is whole: every state has cities and ZIP codes, the largest come first', () => {
    expect(cities.length).toBeGreaterThan(30_000)
    expect(lines.length - cities.length).toBeGreaterThan(40_000)
    const states = (rows: string[]) => new Set(rows.map((row) => row.split(',')[2]))
    const codes = new Set(usStates.map((state) => state.code))
    expect(states(cities)).toEqual(codes)
    expect(states(lines.slice(cities.length))).toEqual(codes)
    const populations = cities.map((row) => Number(row.split(',')[6]))
    expect(populations).toEqual(populations.toSorted((a, b) => b - a))
  })

  test('every line has eight plain columns', () => {
    expect(lines.filter((line) => line.split(',').length !== 8 || /["\r\t]/.test(line))).toEqual([])
  })

  test('places lie in their state, but for islands that the simplified shapes lack', () => {
    const astray = lines.filter((line) => {
      const [, , state, , latitude, longitude] = line.split(',')
      return !isInState(Number(latitude), Number(longitude), state!)
    })
    expect(astray.length).toBeLessThan(10)
  })

  test('the city of every ZIP code is a city of the gazetteer', () => {
    const unknown = lines.slice(cities.length).filter((line) => findCity(line.split(',')[1]!, line.split(',')[2]!) === null)
    expect(unknown).toEqual([])
  })

  test('every city has an id of its own that leads back to it', () => {
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
