import { expect, it } from 'vitest'
import { nameKey } from '#server/kernel/fold-text.ts'
import { streetKey, tidyName, tidyStreet } from './read-records.ts'

it.each([
  ["Bob'S Morning Bear", "Bob's Morning Bear"],
  ['EmJ’S', 'EmJ’s'],
  ['Lmcc, Llc', 'Lmcc, LLC'],
  ['HAPPY CROP SHOPPE', 'Happy Crop Shoppe'],
  ['RISE', 'RISE'],
  ['JARS Cannabis', 'JARS Cannabis'],
  ['cowboy verde llc', 'Cowboy Verde LLC'],
  ['BoufféE Inc.', 'Bouffée Inc.'],
  ['HÅVN Extracts, LLC.', 'HÅVN Extracts, LLC.'],
  ['FLŌRA Cannabis', 'FLŌRA Cannabis'],
  ['The Cannabis Depot Iii Llc', 'The Cannabis Depot III LLC'],
  ['  Pl 221.55   Llc * ', 'Pl 221.55 LLC'],
  ['31° North', '31° North'],
])('formats %s as %s', (text, tidy) => {
  expect(tidyName(text)).toBe(tidy)
})

it.each([
  ['3818 OLD HIGHWAY 99 S RD', '3818 Old Highway 99 S Rd'],
  ['12436 Se Powell Blvd.', '12436 SE Powell Blvd.'],
  ['2164 W 7Th Ave', '2164 W 7th Ave'],
  ['13007 Wisteria DrUnit 28-29', '13007 Wisteria Dr Unit 28-29'],
  ['9135 Piscataway RoadSuite 100', '9135 Piscataway Road Suite 100'],
  ['480 Hwy101 South', '480 Hwy 101 South'],
  ['12 Sunsuite Ln', '12 Sunsuite Ln'],
  ['133 HOWERTON AVE SE STE B', '133 Howerton Ave SE Ste B'],
])('formats the address %s as %s', (text, tidy) => {
  expect(tidyStreet(text)).toBe(tidy)
})

it('matches a name and an address in other spellings', () => {
  expect(nameKey("Bob's Buds, L.L.C.")).toBe(nameKey('BOBS BUDS LLC'))
  expect(nameKey('Enchanted Strains LLC')).toBe(nameKey('Enchanted Strains'))
  expect(nameKey('Green & Co')).not.toBe(nameKey('Green'))
  expect(nameKey('LLC')).toBe('llc')
  expect(streetKey('755 South Jason Street, Unit 150')).toBe(streetKey('755 S. Jason St #150'))
  expect(streetKey('755 S Jason St #150')).not.toBe(streetKey('755 S Jason St #151'))
})
