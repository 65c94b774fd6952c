import { below, oneOf, type Random } from './random.ts'

const words =
  'after again air along autumn bed before bench bright calm careful cedar clay clean clear clone color corner cure cut dark dew door dry early earth evening fan field first floor flower frost garden glass grain green ground growth hand harvest heavy hill house jar label leaf lemon light loft long loose low mild mint morning moss new night north note old open patient pepper pine plain plant quiet rain read ripe river room root row salt season seed shade shelf short shop simple slope slow small soft soil south spring steady stem stone summer sun table tall taste terrace test thin trim valley warm water week white wind window winter wood yard year'.split(
    ' ',
  )

const firstNames = ['Ada', 'Bo', 'Cleo', 'Dov', 'Esme', 'Finn', 'Gita', 'Hal', 'Ines', 'Jude', 'Kit', 'Lena', 'Milo', 'Nora', 'Otis', 'Pia']
const lastNames = [
  'Abel',
  'Brook',
  'Crane',
  'Dale',
  'Ellis',
  'Frost',
  'Grove',
  'Heath',
  'Inman',
  'Jarvis',
  'Knoll',
  'Lake',
  'Marsh',
  'North',
]

export const tags = ['harvest', 'flower', 'soil', 'genetics', 'curing', 'glass', 'kitchen', 'menu', 'notes', 'visit'] as const

export const fullName = (random: Random): [first: string, last: string] => [oneOf(random, firstNames), oneOf(random, lastNames)]

export const phrase = (random: Random, count: number): string => {
  const text = Array.from({ length: count }, () => words[below(random, words.length)]).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export const paragraph = (random: Random): string =>
  Array.from({ length: 1 + below(random, 5) }, () => `${phrase(random, 6 + below(random, 8))}.`).join(' ')

export const cities = [
  { city: 'Denver', state: 'CO', label: 'Denver, CO', latitude: 39.74, longitude: -104.99 },
  { city: 'Portland', state: 'OR', label: 'Portland, OR', latitude: 45.52, longitude: -122.68 },
  { city: 'Oakland', state: 'CA', label: 'Oakland, CA', latitude: 37.8, longitude: -122.27 },
  { city: 'Chicago', state: 'IL', label: 'Chicago, IL', latitude: 41.88, longitude: -87.63 },
  { city: 'Detroit', state: 'MI', label: 'Detroit, MI', latitude: 42.33, longitude: -83.05 },
]
