import { line } from './fields.ts'
import * as z from './zod.ts'

/** Details more precise than a place name. */
export type Exactness = 'coordinates' | 'street'

const degrees = String.raw`[-+]?\d{1,3}[.,]\d{2,}`
const direction = String.raw`(?:\s*°?\s*[NSEWO]\b|\s*°)?`
const openLocationDigits = '23456789CFGHJMPQRVWX'

const coordinates = [
  // 39.7392, -104.9903 · 39,7392° N 104,9903° W · lat 39.7392 lon -104.9903
  new RegExp(String.raw`${degrees}${direction}\D{0,12}?\s*${degrees}`, 'i'),
  // A single number this precise is half of a coordinate pair.
  /\d[.,]\d{4,}/,
  // 39°44'21" · 39° 44.35' · N 39 44 21
  /\d{1,3}\s*°\s*\d{1,2}/,
  /\b[NSEWO]\s?\d{1,3}\s\d{1,2}(?:\s|[.,]\d)/i,
  // Plus codes, military grid references, map links and geo: URIs.
  new RegExp(String.raw`(?:^|\s)[${openLocationDigits}]{4,8}\+[${openLocationDigits}]{2,3}(?:\s|,|$)`, 'i'),
  /\b\d{1,2}[C-HJ-NP-X]\s?[A-HJ-NP-Z]{2}\s?\d{2,5}\s?\d{2,5}\b/i,
  /\b(?:https?:\/\/|geo:|maps\.app|goo\.gl)/i,
  // what3words
  /\/\/\/\s?\p{L}+\.\p{L}+\.\p{L}+/u,
]

const streetWords = 'street|avenue|road|boulevard|drive|lane|parkway|highway|freeway|expressway|terrace|turnpike|broadway|crescent|alley'
/** Abbreviations, and street words that also occur in place names. */
const shortStreetWords =
  'st|ave|av|rd|blvd|dr|ln|court|ct|circle|cir|pkwy|hwy|fwy|ter|trail|trl|aly|way|square|sq|tpke|plaza|loop|route|rte|row|mews|cres'
const numberAndName = String.raw`\b\d{1,6}\s?[a-z]?\s+(?:[\p{L}\d.'’-]+\s+){0,5}`

const streets = [
  // 4200 E Colfax Avenue Denver
  new RegExp(String.raw`${numberAndName}(?:${streetWords})\b`, 'iu'),
  // 1234 Larimer St · 77 West Wacker Dr #400. Requires something that ends a street name, so "St. Louis" doesn't match.
  new RegExp(String.raw`${numberAndName}(?:${shortStreetWords})\.?(?=\s*(?:$|[,#;]|\d|[NSEW]{1,2}\b|apt|unit|suite|ste))`, 'iu'),
  // Highway 50, mile 12 · County Road 314
  /\b(?:highway|hwy|county road|state road|state route|county route|interstate|mile(?:post| marker)?)\s+#?\d/i,
  /\b(?:apt|apartment|unit|suite|ste|bldg|building|floor|lot|po box|p\.?\s?o\.?\s?box)\.?\s*#?\s*\d/i,
  /#\s?\d/,
  // Hauptstraße 12 · Am Weg 5a · Bahnhofstr. 7
  /\p{L}*(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse|damm|ufer)\s+\d{1,4}\s?[a-z]?\b/iu,
  // Calle Mayor 5 · 12 rue de la Paix
  /\b(?:calle|avenida|av\.|carrera|camino)\s+(?:[\p{L}.]+\s+){0,4}#?\d/iu,
  /\b\d{1,4}\s?(?:bis|ter)?,?\s+(?:rue|avenue|boulevard|chemin|impasse|place)\s+\p{L}/iu,
]

/** Detects coordinates and street addresses in what should be a place name, such as "Denver, CO". */
export function exactnessOf(text: string): Exactness | null {
  if (coordinates.some((pattern) => pattern.test(text))) return 'coordinates'
  return streets.some((pattern) => pattern.test(text)) ? 'street' : null
}

const notExact = 'Enter a city, such as Denver, CO, not an address or coordinates'

/** A city, region or country. Locations of people and posts are never more precise. */
export const placeName = (required?: string) => line(120, required).check(z.refine((text) => exactnessOf(text) === null, notExact))

/** A business's city. Its street belongs in the address field, and its position on the map. */
export const businessPlaceName = () =>
  line(120, 'Location is required').check(
    z.refine((text) => exactnessOf(text) !== 'coordinates', 'Enter a city, such as Denver, CO, not coordinates'),
  )
