import { expect, test } from 'vitest'
import { exactnessOf } from './place-name.ts'

test.each([
  '39.739236, -104.990251',
  '39.7392,-104.9903',
  '39,739236 -104,990251',
  '39.7392° N, 104.9903° W',
  'lat 39.7392 lon -104.9903',
  `39°44'21"N 104°59'25"W`,
  '39° 44.35 N',
  'N 39 44 21 W 104 59 25',
  '-104.990251',
  '84QVP2QX+7H',
  'P2QX+7H Denver',
  '13S DD 01234 98765',
  'geo:39.7392,-104.9903',
  'https://maps.app.goo.gl/abc',
  '///filled.count.soap',
])('finds coordinates in %s', (text) => {
  expect(exactnessOf(text)).toBe('coordinates')
})

test.each([
  '1234 Larimer St Apt 5, Denver, CO 80202',
  '1234 Larimer St',
  '12B N. Oak Grove Ave., Eugene, OR',
  '4200 E Colfax Avenue Denver',
  '77 West Wacker Dr #400',
  'Denver, CO, Unit 12',
  'PO Box 12, Salida, CO',
  'P.O. Box 99',
  'Highway 50 mile 12',
  '3021 County Road 314, Ignacio, CO',
  'Hauptstraße 12, 10115 Berlin',
  'Bahnhofstr. 7, Köln',
  'Calle Mayor 5, Madrid',
  '12 rue de la Paix, Paris',
  '5 Broadway, New York',
])('finds a street address in %s', (text) => {
  expect(exactnessOf(text)).toBe('street')
})

test.each([
  'Denver, CO',
  'Denver, CO 80202',
  '80202',
  '80202-1234',
  'St. Louis, MO',
  'Saint Paul, MN',
  '29 Palms, CA',
  '100 Mile House, BC',
  '1770, Queensland',
  'Ninety Six, SC',
  '10115 Berlin, Germany',
  'Paris 11e, France',
  'Court, Switzerland',
  'Street, MD',
  'Lane, OK',
  'Avenue, MD',
  'Rue, France',
  'Wegberg, Germany',
  'Alleen',
  'Colonia 5 de Mayo, Mexico',
  'Portland (Multnomah County), OR',
  'my basement',
  'Toronto, Ontario M5V',
  'São Paulo',
])('accepts %s as a place name', (text) => {
  expect(exactnessOf(text)).toBeNull()
})
