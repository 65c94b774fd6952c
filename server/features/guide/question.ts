import type { Amenity } from '#contracts/amenities.ts'
import type { BusinessType } from '#contracts/business-types.ts'
import type { CommunityCategory } from '#contracts/communities.ts'
import type { ProductCategory } from '#contracts/menu-fields.ts'
import { foldText } from '#server/kernel/fold-text.ts'
import { findZip, type Place } from '#server/kernel/geo/gazetteer.ts'
import { resolvePlace, suggestPlaces } from '#server/kernel/geo/place-search.ts'
import {
  type AskedTime,
  type Aspect,
  amenityWords,
  anyBusiness,
  aspectWords,
  categoryWords,
  communityTopics,
  communityWords,
  fillers,
  looseWeed,
  openOrClose,
  shortForms,
  sorts,
  spelled,
  spelledWords,
  type TakeMatch,
  takeTime,
  tradeWords,
  typeWords,
  weightWords,
  withinOneEdit,
} from './question-words.ts'

export type AskedProduct = {
  categories: ProductCategory[]
  strainType: 'indica' | 'sativa' | 'hybrid' | null
  /** In cents. "Under $30" excludes $30; "up to $30" and ranges include it, so `below` is a cent higher. */
  price: { min: number | null; below: number | null; isInclusive: boolean; perGram: boolean }
  sort: 'price' | 'potency' | null
  isOnSale: boolean
  /** In grams. */
  weight: number | null
  /** As on the label: "a 100 mg chocolate bar". */
  milligrams: number | null
  /** Each must be in the item's search text. */
  words: string[]
}

export type ParsedQuestion = {
  /** Folded, with short forms written out and misspellings corrected. */
  text: string
  type: BusinessType | null
  isAboutPlaces: boolean
  place: AskedPlace | null
  /** The words after "in" or "near" that name no known place, such as "atlantis". */
  unknownPlace: string | null
  isNearMe: boolean
  time: AskedTime | null
  /** The question names something that only menus have. */
  isAboutProducts: boolean
  product: AskedProduct
  aspect: Aspect | null
  /** Named by the question, in words that may mean something else. */
  amenities: Amenity[]
  /** `hours`: who opens first or closes last. */
  sort: 'rating' | 'distance' | 'hours' | null
  isAboutEvents: boolean
  isAboutCommunities: boolean
  topic: CommunityCategory | null
  /** The question asks how something on the site works. */
  isHowTo: boolean
  /** The remaining words: a name or a topic. */
  words: string[]
}

const nearMe =
  /\b(?:near ?by|around|close|closest|near(?:est)?)(?: to)? (?:me|my (?:house|home|place|location|area)|here)\b|\bnear ?by\b|\b(?:in|around) my (?:city|town|area|neighborhood)\b|\blocally\b|\baround here\b/
const eventWords = /\b(?:events?|parties|party|meet ?ups?|happening|going on|things to do|tastings?|pop ?ups?|markets?)\b/
const howTo =
  /^(?:hi |hey |hello |please |so |ok )?(?:how (?:do|can|to|does|would|are|is)|where (?:do|can) i (?:change|find my|see my|turn|set|edit|delete|cancel)|why (?:was|is|are|did|do|can't|cant|am)|who (?:can see|sees|can read)|what (?:does|happens|is the difference)|can i (?:change|delete|cancel|get a copy|export|hide|block|order|edit|invite|use|turn)|do i|is it possible|i (?:forgot|can't|cant|want|need|didn't|didnt|closed)|(?:change|delete|cancel|reset|turn off|edit|update|export|download|report|block|claim|upload|import|verify|stop) )/
const siteWords =
  /\b(?:my (?:account|profile|email|e-mail|password|data|location|name|birthday|listing|post|posts|review|menu|hunt|subscription|subscriptions|plan|notifications?|city|photo|business|hours|opening hours|username)|accounts?|passwords?|e-?mails?|profile|notifications?|subscri\w+|password|listing|csv|spreadsheet|spam|settings?|sign ?(?:in|up|out)|log ?in|two factor|badge|ranked|ranking|held|unsubscribe|following|favorites?|guide|rsvp|csv|refund|receipt|invoice|plan|plans|moderator|moderators|guidelines|community|communities|review|reviews|post|posts|message|messages|hunt|pheno)\b/
const money = String.raw`\$? ?(\d{1,4}(?:\.\d{1,2})?)(?: ?(?:dollars|bucks|usd|\$))?`
const between = new RegExp(String.raw`\b(?:between|from) ${money} (?:and|to|-) ${money}`)
const notAmount = '(?! ?(?:mg|miles?|%|am|pm))'
const below = new RegExp(String.raw`(?:\b(?:under|below|less than|cheaper than)|<) ?${money}${notAmount}`)
const upTo = new RegExp(String.raw`\b(?:max(?:imum)?|up to|no more than|at most|within) ?${money}${notAmount}`)
const perGram = /\b(?:a|per|each) g(?:ram)?\b|\/ ?g(?:ram)?\b/
const cheap = /\b(?:cheap(?:est|er)?|lowest prices?|least expensive|affordable|budget|best prices?|inexpensive|low priced?)\b/
const potent = /\b(?:strong(?:est|er)?|most potent|highest (?:thc|potency|percent\w*)|high thc|highest in thc|potent)\b(?: thc)?/
const deals = /\b(?:on sale|deals?|discounts?|specials?|promos?|promotions?|sales?|bogo|coupons?)\b/
const sells = /\b(?:has|have|had|got|sells?|selling|carry|carries|stocks?|in stock|buy|find|get|where can i)\b/

export function readQuestion(question: string): ParsedQuestion {
  let text = normalized(question)
  const whole = text
  const take: TakeMatch = (pattern) => {
    const match = pattern.exec(text)
    if (match) text = `${text.slice(0, match.index)} ; ${text.slice(match.index + match[0].length)}`.replace(/\s+/g, ' ')
    return match
  }
  const isThere = (pattern: RegExp) => take(pattern) !== null

  const isHowTo = (howTo.test(whole) || /\bhow (?:do|can) i\b/.test(whole)) && (siteWords.test(whole) || !hasTopicOfLists(whole))
  const isAboutCommunities = isThere(communityWords)
  const topic = isAboutCommunities ? (communityTopics.find(([pattern]) => pattern.test(text))?.[1] ?? null) : null
  const isAboutEvents = isThere(eventWords)
  const price = takePrice(take)
  const byHours = openOrClose.test(whole) && isThere(sorts.hours)
  const time = takeTime(take)
  const sort = { price: isThere(cheap), potency: isThere(potent) }
  const isOnSale = isThere(deals)
  const isNearMe = isThere(nearMe)
  const { place, unknown } = takePlace(text, take)
  const aspect = takeAspect(take, whole)
  let type: BusinessType | null = null
  for (const [pattern, each] of typeWords) if (take(pattern)) type ??= each
  const byRating = isThere(sorts.rating)
  const byDistance = isThere(sorts.distance)
  const weight = takeWeight(take)
  const milligrams = Number(take(/\b(\d{1,5}) ?mgs?\b/)?.[1] ?? 0) || null
  const categories = takeCategories(take)
  const strainType = (take(/\b(indica|sativa|hybrid)s?\b/)?.[1] ?? null) as AskedProduct['strainType']
  const hasPrice = price.below !== null || sort.price || sort.potency || isOnSale || weight !== null
  const isAny = isThere(anyBusiness)
  const isWeed = isThere(looseWeed)
  if (isWeed && categories.categories.length === 0 && hasPrice) categories.categories.push('Flower')
  else if (isWeed && categories.categories.length === 0 && strainType === null) type ??= 'dispensary'
  const segments = segmentsOf(text)
  const bare = place ? null : takeBarePlace(segments, take)
  const words = segmentsOf(text).flatMap((segment) => segment.split(' '))
  // "What is a sativa" doesn't ask for a menu.
  const isDefinition = /^(?:so )?what (?:is|are) (?:an? |the difference )/.test(whole) && !hasPrice
  const isAboutProducts = !isDefinition && (categories.categories.length > 0 || strainType !== null || hasPrice)
  return {
    text: whole,
    type,
    isAboutPlaces: type !== null || (isAny && words.length === 0) || time !== null || byDistance || isNearMe || Boolean(place ?? bare),
    place: place ?? bare,
    unknownPlace: place || bare ? null : unknown,
    isNearMe: isNearMe || byDistance,
    time,
    isAboutProducts,
    product: {
      categories: categories.categories,
      strainType,
      price,
      sort: sort.potency ? 'potency' : sort.price ? 'price' : null,
      isOnSale,
      weight,
      milligrams,
      words: categories.words,
    },
    aspect,
    amenities: amenityWords.flatMap(([pattern, amenity]) => (pattern.test(whole) ? [amenity] : [])),
    sort: byHours ? 'hours' : byRating ? 'rating' : byDistance ? 'distance' : null,
    isAboutEvents,
    isAboutCommunities,
    topic,
    isHowTo,
    words,
  }
}

/** Recognizes a request for a product whose name isn't known, such as "does anyone sell" or "who has". */
export const asksToBuy = (text: string): boolean => sells.test(text)

const hasTopicOfLists = (text: string): boolean =>
  typeWords.some(([pattern]) => pattern.test(text)) ||
  (categoryWords.some(({ pattern }) => pattern.test(text)) && !/\border\b/.test(text)) ||
  /\bhow (?:much|far)\b/.test(text)

function normalized(question: string): string {
  let text = foldText(question)
    .replace(/[?!.,;:]+(?=\s|$)/g, (marks) => (marks.includes(',') ? ',' : ' '))
    .replace(/[^\p{L}\p{N}',.:$%/<+-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  for (const [pattern, form] of shortForms) text = text.replace(pattern, form)
  return text
    .split(' ')
    .map((word) => spelled(word, spelledWords))
    .join(' ')
}

function takePrice(take: TakeMatch): AskedProduct['price'] {
  const cents = (text: string | undefined) => Math.round(Number(text) * 100)
  const range = take(between)
  const highest = range ? null : take(upTo)
  const limit = range || highest ? null : take(below)
  const isPerGram = (range || highest || limit) !== null && take(perGram) !== null
  if (range) return { min: cents(range[1]), below: cents(range[2]) + 1, isInclusive: true, perGram: isPerGram }
  if (highest) return { min: null, below: cents(highest[1]) + 1, isInclusive: true, perGram: isPerGram }
  return { min: null, below: limit ? cents(limit[1]) : null, isInclusive: false, perGram: isPerGram }
}

function takeWeight(take: TakeMatch): number | null {
  for (const [pattern, grams] of weightWords) if (take(pattern)) return grams
  return null
}

function takeCategories(take: TakeMatch): { categories: ProductCategory[]; words: string[] } {
  const found = new Set<ProductCategory>()
  const words: string[] = []
  for (const { pattern, category, word } of categoryWords) {
    if (!take(pattern)) continue
    // Next to another category, "flower" or "bud" only describes it: "flower pre-rolls".
    if (category === 'Flower' && found.size > 0) continue
    found.add(category)
    if (word && words.length === 0) words.push(word)
  }
  return { categories: [...found], words }
}

function takeAspect(take: TakeMatch, whole: string): Aspect | null {
  let aspect: Aspect | null = null
  for (const [pattern, each] of aspectWords) if (take(pattern)) aspect ??= each
  return aspect ?? (/\bdeliver/.test(whole) ? 'delivery' : null)
}

/** Runs of words that aren't understood, split at fillers. */
function segmentsOf(text: string): string[] {
  return text
    .split(/[;,]/)
    .flatMap((part) => part.split(' ').reduce(splitAtFillers, ['']))
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function splitAtFillers(segments: string[], word: string): string[] {
  const plain = word.replace(/^[-'.:/+]+|[-'.:/+]+$/g, '').replace(/'s$/, '')
  if (plain === '' || fillers.has(plain) || plain.length < 2) segments.push('')
  else segments[segments.length - 1] = `${segments.at(-1)} ${plain}`
  return segments
}

/** A place in a question: inside it ("in Denver") or around it ("near Denver"). */
export type AskedPlace = Pick<Place, 'label' | 'name' | 'kind' | 'state' | 'latitude' | 'longitude'> & { isInside: boolean }

const nicknames: Record<string, string> = {
  okc: 'Oklahoma City, OK',
  nyc: 'New York, NY',
  sf: 'San Francisco, CA',
  vegas: 'Las Vegas, NV',
  philly: 'Philadelphia, PA',
  dc: 'Washington, DC',
  'd.c': 'Washington, DC',
}
const nickname = new RegExp(`\\b(?:(in|near|around|by|at) )?(${Object.keys(nicknames).join('|')})\\b`)
const zip = /\b(?:(?:in|near|around|by|at) )?(\d{5})\b/

const maxPlaceWords = 4
/** Enough for real questions; every candidate that isn't a place costs a search through all names. */
const maxTried = 3
/** Words after "in" or "near" that don't begin a place name, though some are towns. */
const noPlaces =
  /^(?:my|the|a|an|it|its|this|that|your|our|me|us|here|them|order|general|front|stock|store|stores|town|person|bulk|at|on|open|under|night|least|most|home|which|what|case|touch|between)$/
/** A bare name means a city above this population: "dispensary denver", but not "star" or "bloom". */
const bareCityPopulation = 20_000

function takePlace(text: string, take: TakeMatch): { place: AskedPlace | null; unknown: string | null } {
  const known = take(nickname)
  if (known)
    return {
      place: toAskedPlace(resolvePlace(nicknames[known[2] as string] as string), !/near|around|by/.test(known[1] ?? '')),
      unknown: null,
    }
  const code = zip.exec(text)?.[1]
  const byZip = code ? findZip(code) : null
  if (byZip) {
    take(zip)
    return { place: toAskedPlace(byZip, false), unknown: null }
  }
  let tried = 0
  let unknown: string | null = null
  for (const match of text.matchAll(/\b(in|near|around|by|at|from) (?=\w)/g)) {
    if (tried === maxTried) break
    const words = text
      .slice(match.index + match[0].length)
      .split(';')[0]
      ?.trim()
      .split(' ')
    const first = words?.[0]?.replace(/,$/, '') ?? ''
    if (!words || first === '' || noPlaces.test(first) || /^\d/.test(first)) continue
    tried++
    const found = longestPlace(words)
    if (found) {
      take(new RegExp(`\\b${match[1]} ${escaped(found.words)}`))
      return { place: toAskedPlace(found.place, match[1] === 'in' || match[1] === 'at'), unknown: null }
    }
    if (match[1] === 'in' || match[1] === 'near') unknown ??= words.slice(0, 2).join(' ').replace(/,+$/, '')
  }
  return { place: null, unknown }
}

/** A city's name without a preposition, at the beginning or end of the other words that aren't understood. */
function takeBarePlace(segments: readonly string[], take: TakeMatch): AskedPlace | null {
  for (const segment of segments.slice(0, maxTried)) {
    const words = segment.split(' ')
    for (let count = Math.min(maxPlaceWords, words.length); count > 0; count--) {
      for (const some of new Set([words.slice(-count).join(' '), words.slice(0, count).join(' ')])) {
        const place = some.length > 3 && !tradeWords.has(some) ? resolvePlace(some) : null
        if (!place || (place.kind === 'city' && (place.population ?? 0) < bareCityPopulation)) continue
        take(new RegExp(`\\b${escaped(some)}\\b`))
        return toAskedPlace(place, true)
      }
    }
  }
  return null
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** "Union Station Denver" is in Denver, not in Union. */
const largeCityPopulation = 100_000

function longestPlace(words: readonly string[]): { place: Place; words: string } | null {
  const first = beginningPlace(words)
  const last = words.at(-1) ?? ''
  const city = first && first.words.split(' ').length < words.length && last.length > 3 ? resolvePlace(last) : null
  const isLarger = city?.kind === 'city' && (city.population ?? 0) >= Math.max(largeCityPopulation, first?.place.population ?? 0)
  return isLarger && first?.place.kind === 'city' ? null : first
}

function beginningPlace(words: readonly string[]): { place: Place; words: string } | null {
  for (let count = Math.min(maxPlaceWords, words.length); count > 0; count--) {
    const some = words.slice(0, count).join(' ').replace(/,+$/, '')
    const place = resolvePlace(some)
    if (place) return { place, words: some }
  }
  // "denvr": a city above `bareCityPopulation`, one letter off.
  const some = (words[0] ?? '').replace(/,+$/, '')
  const guess = some.length >= 5 ? suggestPlaces(some, 1)[0] : undefined
  const isClose = guess?.kind === 'city' && (guess.population ?? 0) >= bareCityPopulation && withinOneEdit(some, guess.name.toLowerCase())
  return guess && isClose ? { place: guess, words: some } : null
}

function toAskedPlace(place: Place | null, isInside: boolean): AskedPlace | null {
  if (!place) return null
  const { label, name, kind, state, latitude, longitude } = place
  return { label, name, kind, state, latitude, longitude, isInside: isInside && kind === 'city' }
}
