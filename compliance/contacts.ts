/** A range of a text: from `start` up to but not including `end`. */
export type Span = { start: number; end: number }

const digitRun = /\+?\d(?:[ ().-]{0,3}\d){9,14}(?!\d)/g

/** A number after one of these words isn't a phone number. */
const notPhones = /(?:order|batch|lot|serial|license|lic|tracking|invoice|sku|upc|number|no|#)\.?:?\s*#?$/

/** North American phone numbers in common groupings, international ones with a plus, and seven digits after a word such as "call". */
export function findPhoneNumbers(text: string): Span[] {
  const found: Span[] = []
  for (const match of text.matchAll(digitRun)) {
    if (/\d/.test(text[match.index - 1] ?? '')) continue
    const [run] = match
    const groups = run.split(/\D+/).filter(Boolean)
    const digits = groups.join('')
    if (!(run.startsWith('+') || isAmerican(groups, digits))) continue
    if (
      notPhones.test(text.slice(Math.max(0, match.index - 16), match.index)) &&
      !/(phone|cell|my|call|text)\s*(?:number|no|#)?/.test(text.slice(Math.max(0, match.index - 24), match.index))
    )
      continue
    found.push({ start: match.index, end: match.index + run.length })
  }
  for (const match of text.matchAll(/\b(?:call|text|phone|cell|ring|whatsapp)(?: me| us)?(?: at| on)?:? {0,2}(\d{3}[ .-]\d{4})(?!\d)/g)) {
    found.push({ start: match.index, end: match.index + match[0].length })
  }
  return found.sort((a, b) => a.start - b.start)
}

function isAmerican(groups: readonly string[], digits: string): boolean {
  const national = digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits
  if (!/^[2-9]\d\d[2-9]\d{6}$/.test(national)) return false
  const lengths = groups.map((group) => group.length)
  if (lengths[0] === 1 && groups[0] === '1' && lengths.length > 1 && lengths.length < 6) lengths.shift()
  const shape = lengths.join('-')
  return /^(3-3-4|10|11|3-7|6-4|1(-1){9,10}|3-3-2-2|3(-1){7}|3-3(-1){4})$/.test(shape)
}

const topLevels =
  'com|net|org|io|co|me|shop|store|xyz|info|biz|us|ca|de|eu|ru|uk|link|club|gg|app|page|site|online|ly|tv|cc|to|market|deals'
const link = new RegExp(
  `(?:https?:\\/\\/|www\\.)[^\\s<>"]{3,300}|(?<![@\\w.-])[a-z0-9][a-z0-9-]{0,62}(?:\\.[a-z0-9-]{1,63}){0,3}\\.(?:${topLevels})(?![\\w-])(?:\\/[^\\s<>"]{0,200})?`,
  'g',
)

/** Web addresses with or without a scheme. */
export const findLinks = (text: string): Span[] =>
  [...text.matchAll(link)].map((match) => ({ start: match.index, end: match.index + match[0].length }))
