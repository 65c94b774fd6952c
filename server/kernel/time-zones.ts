import { LRUCache } from 'lru-cache'
import { dayMs, minuteMs } from '#contracts/time.ts'
import { findCity, findZip } from './geo/gazetteer.ts'

export function isTimeZone(name: string): boolean {
  // Intl also accepts `+02:00`, which ignores daylight saving time.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The time zone of most people in a state or province. */
const zones: Readonly<Record<string, string>> = {
  ...among('America/New_York', 'CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC VA VT WV'),
  ...among('America/Chicago', 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI'),
  ...among('America/Denver', 'CO ID MT NM UT WY'),
  ...among('America/Los_Angeles', 'CA NV OR WA'),
  ...among('America/Phoenix', 'AZ'),
  ...among('America/Anchorage', 'AK'),
  ...among('Pacific/Honolulu', 'HI'),
  ...among('America/Puerto_Rico', 'PR VI'),
  ...among('Pacific/Guam', 'GU MP'),
  ...among('Pacific/Pago_Pago', 'AS'),
  ...among('America/Toronto', 'ON QC NU'),
  ...among('America/Vancouver', 'BC'),
  ...among('America/Whitehorse', 'YT'),
  ...among('America/Edmonton', 'AB NT'),
  ...among('America/Regina', 'SK'),
  ...among('America/Winnipeg', 'MB'),
  ...among('America/Halifax', 'NB NS PE'),
  ...among('America/St_Johns', 'NL'),
}

function among(zone: string, states: string): Record<string, string> {
  return Object.fromEntries(states.split(' ').map((state) => [state, zone]))
}

/** Whole counties with a different time zone than most of their state. Most listings have no owner to choose the right one. */
const countyZones: Readonly<Record<string, string>> = {
  ...counties('America/Boise', 'OR', 'Malheur'),
  ...counties('America/Los_Angeles', 'ID', 'Benewah|Bonner|Boundary|Clearwater|Idaho|Kootenai|Latah|Lewis|Nez Perce|Shoshone'),
  ...counties('America/Denver', 'TX', 'El Paso|Hudspeth'),
  ...counties('America/Denver', 'KS', 'Greeley|Hamilton|Sherman|Wallace'),
  ...counties(
    'America/Denver',
    'NE',
    'Arthur|Banner|Box Butte|Chase|Cheyenne|Dawes|Deuel|Dundy|Garden|Grant|Hooker|Keith|Kimball|Morrill|Perkins|Scotts Bluff|Sheridan|Sioux',
  ),
  ...counties(
    'America/Denver',
    'SD',
    'Bennett|Butte|Corson|Custer|Dewey|Fall River|Haakon|Harding|Jackson|Lawrence|Meade|Oglala Lakota|Pennington|Perkins|Ziebach',
  ),
  ...counties('America/Denver', 'ND', 'Adams|Billings|Bowman|Dunn|Golden Valley|Grant|Hettinger|Slope|Stark'),
  ...counties('America/Menominee', 'MI', 'Dickinson|Gogebic|Iron|Menominee'),
  ...counties('America/Chicago', 'IN', 'Gibson|Jasper|Lake|LaPorte|Newton|Perry|Porter|Posey|Spencer|Starke|Vanderburgh|Warrick'),
  ...counties(
    'America/Chicago',
    'KY',
    'Adair|Allen|Ballard|Barren|Breckinridge|Butler|Caldwell|Calloway|Carlisle|Christian|Clinton|Crittenden|Cumberland|Daviess|' +
      'Edmonson|Fulton|Graves|Grayson|Green|Hancock|Hart|Henderson|Hickman|Hopkins|Livingston|Logan|Lyon|Marshall|McCracken|McLean|' +
      'Metcalfe|Monroe|Muhlenberg|Ohio|Russell|Simpson|Todd|Trigg|Union|Warren|Webster',
  ),
  ...counties('America/Chicago', 'FL', 'Bay|Calhoun|Escambia|Holmes|Jackson|Okaloosa|Santa Rosa|Walton|Washington'),
  ...counties(
    'America/New_York',
    'TN',
    'Anderson|Blount|Bradley|Campbell|Carter|Claiborne|Cocke|Grainger|Greene|Hamblen|Hamilton|Hancock|Hawkins|Jefferson|Johnson|Knox|' +
      'Loudon|McMinn|Meigs|Monroe|Morgan|Polk|Rhea|Roane|Scott|Sevier|Sullivan|Unicoi|Union|Washington',
  ),
}

function counties(zone: string, state: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split('|').map((county) => [`${county}, ${state}`, zone]))
}

/** The states in which `guessTimeZone` depends on the city and ZIP code. */
export const statesWithSeveralZones: readonly string[] = [...new Set([...Object.keys(countyZones).map((county) => county.slice(-2)), 'NV'])]

type Area = { country: string | null; state: string | null; city?: string | null; zip?: string | null }

export function guessTimeZone({ country, state, city, zip }: Area): string {
  if (country === 'DE') return 'Europe/Berlin'
  if (!state) return 'UTC'
  // The rest of its county is in another zone.
  if (state === 'NV' && city === 'West Wendover') return 'America/Denver'
  const place = (zip && findZip(zip)) || (city && findCity(city, state)) || null
  const county = place?.state === state ? countyZones[`${place.county}, ${state}`] : undefined
  return county ?? zones[state] ?? 'UTC'
}

export type LocalTime = {
  /** `2026-11-21` */
  date: string
  /** Minute of the day, 0 to 1439. */
  minute: number
  /** 0 is Sunday. */
  weekday: number
}

/** Limited in size, because each of the several hundred zones can be written in thousands of combinations of upper and lower case. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 1000 })

export function localTime(timeZone: string, now: Date): LocalTime {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
    formats.set(timeZone, format)
  }
  const part = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]))
  const date = `${part.year}-${part.month}-${part.day}`
  return { date, minute: Number(part.hour) * 60 + Number(part.minute), weekday: new Date(`${date}T00:00:00Z`).getUTCDay() }
}

/** Opening hours need the same minutes for every business on every page, and computing each one formats several dates. */
const moments = new LRUCache<string, number>({ max: 50_000 })

/** The UTC time in ms of a local date and minute in a zone. The minute may exceed a day. */
export function momentOf(timeZone: string, date: string, minute: number): number {
  const key = `${timeZone} ${date} ${minute}`
  const known = moments.get(key)
  if (known !== undefined) return known
  const moment = findMoment(timeZone, date, minute)
  moments.set(key, moment)
  return moment
}

function findMoment(timeZone: string, date: string, minute: number): number {
  const wall = Date.parse(`${date}T00:00:00Z`) + minute * minuteMs
  // The offsets a day before and after, which differ around a clock change.
  const offsets = [...new Set([offsetAt(timeZone, wall - dayMs), offsetAt(timeZone, wall + dayMs)])]
  const candidates = offsets.map((offset) => wall - offset).sort((a, b) => a - b)
  // When clocks are set back, a local time occurs twice. Uses the first.
  const shown = candidates.find((moment) => moment + offsetAt(timeZone, moment) === wall)
  return shown ?? skippedBetween(timeZone, candidates[0] as number, candidates.at(-1) as number)
}

/** The zone's offset from UTC, in ms. */
function offsetAt(timeZone: string, moment: number): number {
  const { date, minute } = localTime(timeZone, new Date(moment))
  return Date.parse(`${date}T00:00:00Z`) + minute * minuteMs - Math.floor(moment / minuteMs) * minuteMs
}

/** When clocks are set forward, skipped times map to the moment of the change. */
function skippedBetween(timeZone: string, from: number, to: number): number {
  const before = offsetAt(timeZone, from)
  let low = from
  let high = to
  while (high - low > 60_000) {
    const middle = low + Math.floor((high - low) / 120_000) * minuteMs
    if (offsetAt(timeZone, middle) === before) low = middle
    else high = middle
  }
  return high
}

/** Adds months in UTC, on the same day or the given one. In a shorter month, uses its last day: January 31 → February 28. */
export function addMonths(from: Date, months: number, dayOfMonth = from.getUTCDate()): Date {
  const firstOfMonth = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1)
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate()
  const timeOfDay = from.getTime() % dayMs
  return new Date(firstOfMonth + (Math.min(dayOfMonth, lastDay) - 1) * dayMs + timeOfDay)
}
