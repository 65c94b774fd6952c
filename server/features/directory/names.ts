import { foldText } from '../../kernel/fold-text.ts'

/** Tidies how names and addresses are written, gently: letters change their case, words stay. */

const upperLegalForms = new Set(['llc', 'llp', 'lllp', 'pllc'])
/** Short words that are letters, not words, in names written in capitals. */
const initials = new Set([
  'THC',
  'CBD',
  'USA',
  'US',
  'DBA',
  'II',
  'III',
  'IV',
  'NE',
  'NW',
  'SE',
  'SW',
  'LLC',
  'LLP',
  'LLLP',
  'PLLC',
  'LP',
  'NV',
  'NYC',
  'LA',
  'DC',
  'MJ',
  'TJ',
  'AZ',
  'CO',
  'WA',
  'OR',
])

export function tidyName(text: string): string {
  const name = spaced(text).replace(/[\s*]+$/, '')
  return repairTitleCase(isShouted(name) ? titleCase(name) : isWhispered(name) ? capitalized(name) : name)
    .split(' ')
    .map((word) => (upperLegalForms.has(word.replace(/[.,]+$/, '').toLowerCase()) || /^Iii?$/.test(word) ? word.toUpperCase() : word))
    .join(' ')
}

export function tidyStreet(text: string): string {
  const street = spaced(text)
  return repairTitleCase(isShouted(street) ? titleCase(street) : street)
    .replace(/\b(ne|nw|se|sw)\b/gi, (direction) => direction.toUpperCase())
    .replace(/\b(po) box\b/gi, 'PO Box')
}

export const tidyCity = (text: string): string => {
  const city = spaced(text)
  return repairTitleCase(isShouted(city) ? titleCase(city) : isWhispered(city) ? capitalized(city) : city)
}

const spaced = (text: string) => text.replace(/\s+/g, ' ').trim()

/** One word in capitals may be a brand (RISE); two are a form filled in with the shift key held. */
const isShouted = (text: string) => !/\p{Ll}/u.test(text) && text.split(' ').filter((word) => /\p{L}{3}/u.test(word)).length > 1
const isWhispered = (text: string) => /\p{Ll}/u.test(text) && !/\p{Lu}/u.test(text)

const titleCase = (text: string) =>
  text.replace(/[\p{L}\p{M}'’]+/gu, (word) =>
    initials.has(word) || word.length === 1 ? word : word.charAt(0) + word.slice(1).toLowerCase(),
  )

const capitalized = (text: string) =>
  text.replace(/(^|[\s(/-])(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())

/** Undoes what a careless program made of "Bob's", "7th" and "Bouffée": Bob'S, 7Th, BoufféE. */
const repairTitleCase = (text: string) =>
  text
    .replace(/(\p{L}['’])S\b/gu, '$1s')
    .replace(/(\d)(St|Nd|Rd|Th)\b/g, (_, digit: string, ending: string) => digit + ending.toLowerCase())
    .replace(/([^\p{ASCII}\W]|[À-žḀ-ỿ])(\p{Lu})(?=$|[^\p{L}])/gu, (whole, letter: string, last: string) =>
      /\p{Ll}/u.test(letter) ? letter + last.toLowerCase() : whole,
    )

const streetWords: Record<string, string> = {
  street: 'st',
  avenue: 'ave',
  av: 'ave',
  road: 'rd',
  boulevard: 'blvd',
  drive: 'dr',
  lane: 'ln',
  court: 'ct',
  highway: 'hwy',
  parkway: 'pkwy',
  place: 'pl',
  circle: 'cir',
  square: 'sq',
  terrace: 'ter',
  trail: 'trl',
  north: 'n',
  south: 's',
  east: 'e',
  west: 'w',
  northeast: 'ne',
  northwest: 'nw',
  southeast: 'se',
  southwest: 'sw',
}
const unitWords = new Set(['suite', 'ste', 'unit', 'apt', 'building', 'bldg', 'number', 'no', 'space', 'room', 'rm'])

/** The same for all spellings of an address: "755 South Jason Street, Unit 150" and "755 S. Jason St #150". */
export function streetKey(street: string): string {
  return foldText(street)
    .replace(/['.]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .map((word) => streetWords[word] ?? word)
    .filter((word) => !unitWords.has(word))
    .join(' ')
}
