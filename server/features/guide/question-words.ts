import type { Amenity } from '#contracts/amenities.ts'
import type { BusinessType } from '#contracts/business-types.ts'
import type { CommunityCategory } from '#contracts/communities.ts'
import type { ProductCategory } from '#contracts/menu-fields.ts'
import { addDays, dayMs, weekdayOf } from '#contracts/time.ts'
import { localTime, momentOf } from '#server/kernel/time-zones.ts'

// The words that people use, and what they mean here. Patterns match folded text.

/** If a question names two types, the first in this order wins. */
export const typeWords: readonly (readonly [RegExp, BusinessType])[] = [
  [/\bglass (?:shops?|stores?|galler(?:y|ies))\b|\bglass ?blowers?\b/, 'glass_shop'],
  [/\b(?:smoke|head|vape|tobacco) ?(?:shops?|stores?)\b/, 'smoke_shop'],
  [
    /\bdeliver(?:y|ies|s|ed|ing)?\b(?: (?:services?|places?|shops?|to my (?:house|home|place|door|apartment)|to me))?|\bdelivery services?\b/,
    'delivery',
  ],
  [/\b(?:farms?|growers?|cultivators?|grow ops?)\b/, 'farm'],
  [/\b(?:dispensar(?:y|ies|ys)|dispos?|(?:pot|weed|cannabis|marijuana|bud) ?(?:shops?|stores?|places?|spots?))\b/, 'dispensary'],
  [/\b(?:restaurants?|cafes?|lounges?|consumption (?:lounges?|sites?|spots?)|food service)\b/, 'food_service'],
]
export const anyBusiness = /\b(?:business(?:es)?|shops?|stores?|places?|spots?|listings?|anything|anywhere|somewhere|any ?one)\b/
export const looseWeed = /\b(?:weed|pot|cannabis|marijuana|ganja|herb)\b/

type CategoryWord = { pattern: RegExp; category: ProductCategory /** Must be in the item's search text. */; word?: string }
export const categoryWords: readonly CategoryWord[] = [
  { pattern: /\bpre ?-?rolls?\b|\bjoints?\b|\bblunts?\b/, category: 'Pre-Rolls' },
  { pattern: /\bgumm(?:y|ies|ys)\b/, category: 'Edibles', word: 'gumm' },
  { pattern: /\b(?:dark |milk )?chocolates?\b(?: bars?)?/, category: 'Edibles', word: 'chocolate' },
  { pattern: /\bbrownies?\b/, category: 'Edibles', word: 'brownie' },
  { pattern: /\bcookies (?:edibles?)\b|\bweed cookies\b/, category: 'Edibles', word: 'cookie' },
  { pattern: /\bedibles?\b/, category: 'Edibles' },
  { pattern: /\bseltzers?\b/, category: 'Drinks', word: 'seltzer' },
  { pattern: /\bsodas?\b/, category: 'Drinks', word: 'soda' },
  { pattern: /\b(?:weed |thc |infused )?(?:drinks?|beverages?)\b/, category: 'Drinks' },
  { pattern: /\b(?:vape )?(?:cart(?:ridge)?s?)\b|\b(?:vape pens?|vapes?|disposables?)\b/, category: 'Vapes' },
  { pattern: /\blive rosins?\b/, category: 'Concentrates', word: 'live rosin' },
  { pattern: /\blive resins?\b/, category: 'Concentrates', word: 'live resin' },
  { pattern: /\brosins?\b/, category: 'Concentrates', word: 'rosin' },
  { pattern: /\bhash\b/, category: 'Concentrates', word: 'hash' },
  { pattern: /\bshatter\b/, category: 'Concentrates', word: 'shatter' },
  { pattern: /\b(?:badder|budder|batter)\b/, category: 'Concentrates', word: 'badder' },
  { pattern: /\bdistillates?\b/, category: 'Concentrates', word: 'distillate' },
  { pattern: /\b(?:dabs?|wax|concentrates?|extracts?)\b/, category: 'Concentrates' },
  { pattern: /\btinctures?\b/, category: 'Tinctures' },
  { pattern: /\b(?:topicals?|lotions?|balms?|salves?)\b/, category: 'Topicals' },
  { pattern: /\b(?:seeds?|clones?)\b/, category: 'Seeds & Clones' },
  { pattern: /\b(?:grinders?|bongs?|rolling papers?|accessories)\b/, category: 'Accessories' },
  { pattern: /\b(?:flowers?|buds?|nugs?)\b/, category: 'Flower' },
]

/** In grams. */
export const weightWords: readonly (readonly [RegExp, number])[] = [
  [/\b(?:eighths?|1\/8(?:th)?s?|3\.5 ?g(?:rams?)?)\b/, 3.5],
  [/\b(?:quarter (?:ounces?|oz)|quarters?|1\/4(?:th)?|7 ?g(?:rams?)?)\b/, 7],
  [/\b(?:half (?:an )?(?:ounces?|oz)|half o|1\/2 ?oz|14 ?g(?:rams?)?)\b/, 14],
  [/\b(?:an? )?(?:ounces?|oz|zips?|28 ?g(?:rams?)?)\b/, 28],
]

export const communityWords = /\b(?:communit(?:y|ies)|groups?|forums?)\b/
export const communityTopics: readonly (readonly [RegExp, CommunityCategory])[] = [
  [/\b(?:grow(?:ing|ers?)?|outdoor|indoor|seeds?|plants?)\b/, 'growing'],
  [/\b(?:strains?|genetics|breed(?:ing|ers?))\b/, 'strains'],
  [/\b(?:business|trade|industry)\b/, 'business'],
  [/\bmedical\b/, 'medical'],
]

export type Aspect = 'hours' | 'phone' | 'address' | 'website' | 'menu' | 'license' | 'rating' | 'delivery' | 'distance' | 'amenity'

/** Words that mean an amenity in any question. */
const plainAmenities: readonly (readonly [RegExp, Amenity])[] = [
  [/(?<!\b(?:gift|business|playing) )\b(?:(?:credit|debit|bank) )?cards?\b|\bdebit\b|\bcash only\b/, 'debit'],
  [/\batms?\b|\bcash machines?\b/, 'atm'],
  [/\bparking(?: (?:lots?|spaces?|spots?))?\b/, 'parking'],
  [/\bwheelchairs?\b|\baccessib(?:le|ility)\b/, 'wheelchair'],
  [/\b(?:rest|bath) ?rooms?\b|\btoilets?\b/, 'restroom'],
  [/\bcurb ?side\b/, 'curbside'],
  [/\bdrive[ -]?(?:through|thru|up)\b/, 'drive_through'],
  [/\btours?\b/, 'tours'],
  [/\b(?:spanish|espanol)\b/, 'spanish'],
]

/** Includes words such as "medical", which often mean something else unless the question is about one business. */
export const amenityWords: readonly (readonly [RegExp, Amenity])[] = [
  ...plainAmenities,
  [/\b(?:adult use|recreational|rec)\b/, 'adult_use'],
  [/\bmedical\b/, 'medical'],
  [/\bdeliver/, 'delivery'],
  [/\blounges?\b/, 'lounge'],
]

export const aspectWords: readonly (readonly [RegExp, Aspect])[] = [
  [/\b(?:phone|telephone|phone number|number to call|number (?=for|of)|call|contact)(?: numbers?| info)?\b/, 'phone'],
  [/\blicen[sc]e(?:d|s)?(?: numbers?)?\b|\blegit(?:imate)?\b/, 'license'],
  [/\b(?:web ?sites?|homepage|url)\b/, 'website'],
  [/\bhow far(?: away)?\b|\bdistance\b/, 'distance'],
  [/\b(?:address|directions?|located|location|where is|wheres|where's|get to)\b/, 'address'],
  [/\b(?:reviews?|ratings?|rated|stars|any good|is it good)\b/, 'rating'],
  [/\b(?:hours?|open(?:s|ing|ed)?|clos(?:e|es|ed|ing)|what time|when does)\b/, 'hours'],
  [/\b(?:menus?|products?|what do (?:they|you) (?:have|sell))\b/, 'menu'],
  ...plainAmenities.map(([pattern]) => [pattern, 'amenity'] as const),
  [/\bamenit(?:y|ies)\b|\b(?:apple pay|google pay|venmo|cash ?app|crypto|bitcoin|cash)\b/, 'amenity'],
]

export const sorts = {
  distance: /\b(?:near(?:est|st)|closest|close ?by|closest to me)\b/,
  /** Applies only if `openOrClose` also matches. "Late" isn't included, because "open late" asks for a time. */
  hours: /\b(?:the )?(?:earliest|latest|longest|first|last)\b/,
  rating: /\b(?:best|top|top rated|highest rated|best rated|good reviews|well reviewed|highly rated|rated|ratings?|popular)\b/,
} as const

export const openOrClose = /\b(?:open(?:s|ing)?|clos(?:e|es|ing)|hours)\b/

/** Words that don't indicate a topic. */
export const fillers = new Set(
  `a an and any are about around am as at be been but by can could do does did don't dont em every find for from get give go going good got gotta great had has have here hey hi how i i'm id if im in into is it it's its just know let like
list looking lookin me my most much more need new newest no not now of off on one ones or our out over people please plz pls really recommend right same say says see sell sells selling she should show so some something sell still stuff tell than
that thats that's the their them then there theres these they thing things this those to too today try u up ur us use visit want wanna was we well were what what's whats when where which wich while who who's whos whose why will with
within would ya yall you you're your guys anyone anybody somebody someone available availability stock carry carries carrying buy buys purchase order cost costs price prices priced pricing cheap items item product products brand brands strain strains
called named take takes accept accepts pay paying open opens opening opened close closed closing hours hour time until till today tomorrow area town city local locally search searching available also only ever yet else again other others thanks thank nice okay ok yes yeah way lot many
number house home door myself pick pickup special specials pretty very super asap bro dude man fam mate fast quick quickly decent quality check checkout happening upcoming does'nt smoke smoking`.split(
    /\s+/,
  ),
)

/** Words too common to identify a business; a name needs another word besides these. */
export const tradeWords = new Set(
  `green greens leaf leaves buds bud cannabis weed pot marijuana dispensary dispensaries farm farms garden gardens smoke shop shops store stores house club collective co company health wellness center centre
organics organic natural nature delivery delivers lounge glass cafe medical recreational rec the high herbal herb herbs remedies remedy supply medicine night early good best mountain city state`.split(
    /\s+/,
  ),
)

/** Words that are often mistyped, in their correct spelling. */
export const spelledWords = new Set(
  `dispensary dispensaries tomorrow gummies edibles cartridge cartridges delivery delivers chocolate concentrates concentrate cheapest closest nearest strongest license licensed address directions reviews account password
location notification notifications subscription saturday sunday monday tuesday wednesday thursday friday tonight`.split(/\s+/),
)

export const shortForms: readonly (readonly [RegExp, string])[] = [
  [/\bwheres\b|\bwhere's\b/g, 'where is'],
  [/\bwhats\b|\bwhat's\b/g, 'what is'],
  [/\bwhos\b|\bwho's\b/g, 'who is'],
  [/\brn\b/g, 'right now'],
  [/\bgummys\b/g, 'gummies'],
  [/\b(?:what|which) (?:kinds?|types?) of\b/g, 'what'],
  [/\btom+or+ow\b|\btmrw?\b|\btmr\b/g, 'tomorrow'],
  [/\bdispens[aei]?r(?:ies|ys|ie)\b|\bdispenser(?:ies|ys)\b|\bdispencer(?:y|ies)\b/g, 'dispensaries'],
  [/\bdispens[aei]?ry\b|\bdispencary\b/g, 'dispensary'],
  [/\b(?:r|are) u\b/g, 'are you'],
  [/\bprerolls?\b/g, 'pre-rolls'],
]

const greetings = 'hi|hii+|hello|hey|heya|hiya|yo|sup|howdy|greetings|good (?:morning|afternoon|evening|day)'
/** Greetings and small talk, as a whole question. */
export const smallTalk = new RegExp(
  `^(?:${greetings})?(?: ?(?:there|guide|buddy|friend|bro|dude|man|mate|everyone|all))?(?: ?(?:thanks?(?: you| u)?(?: so much| a lot)?|thx|ty|cool|great|awesome|perfect|bye|goodbye|good ?night|see you|lol|haha|ok|okay|how are you(?: doing)?(?: today)?|how is it going|what is up|who are you|what are you|are you (?:a )?(?:bot|robot|human|real|ai|person)|what can you do|what can i ask(?: you)?|help(?: me)?|tell me (?:a|another) joke|(?:got|know) any jokes|tell me something(?: funny)?|make me laugh|i love you|you are (?:great|cool|awesome|funny)|nice to meet you|what is your name|test))?(?: ?(?:bro|dude|man|mate|buddy|friend|guide))?$`,
)
export const isThanks = /\b(?:thanks?|thx|ty)\b/

/** Whether two words differ by at most one letter added, removed, changed or swapped with its neighbor. */
export function withinOneEdit(one: string, other: string): boolean {
  if (one === other) return true
  if (Math.abs(one.length - other.length) > 1) return false
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const rest = one.slice(at + 1)
  const otherRest = other.slice(at + 1)
  if (rest === otherRest || rest === other.slice(at) || one.slice(at) === otherRest) return true
  return one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2)
}

/** The listed word that equals the word or, if the word is long enough, is one edit away; otherwise the word itself. */
export function spelled(word: string, words: ReadonlySet<string>): string {
  if (words.has(word) || word.length < 6) return word
  for (const known of words) if (known.length >= 6 && withinOneEdit(word, known)) return known
  return word
}

/** Days from today, or a day of the week (0 is Monday). */
type AskedDay = { inDays: number } | { weekday: number }

/** When the place should be open, according to the question. The time zone, and therefore the date, depends on the place. */
export type AskedTime =
  | { kind: 'now' }
  | { kind: 'day'; day: AskedDay }
  | { kind: 'minute'; day: AskedDay | null; minute: number; isEvening: boolean }
  /** Such as "24 hours". A place's stated hours don't reliably show whether it is always open. */
  | { kind: 'always' }

export type TakeMatch = (pattern: RegExp) => RegExpExecArray | null

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const shortDays = ['mon', 'tues?', 'wed', 'thur?s?', 'fri', 'sat', 'sun']
const dayPattern = new RegExp(
  `\\b(?:on |this |next )?(?:${days.map((day, i) => `(${day}|${shortDays[i]})s?`).join('|')})\\b(?: (morning|evening|night|afternoon))?`,
)
const clock = '(\\d{1,2})(?::(\\d{2}))? ?(am|pm|a\\.?m\\.?|p\\.?m\\.?|in the morning|at night|tonight)?'
const edge = "(at|past|after|until|till|til|before|by|from|around|about|as late as|later than|o'?clock)"
const timed = new RegExp(`\\b${edge} ${clock}(?: (?:o'?clock))?(?![\\d%$]|\\w| ?(?:miles?|dollars|bucks|mg|g)\\b)`)
const bareClock = /\b(\d{1,2})(?::(\d{2}))? ?(am|pm)\b/
const named = /\b(at|past|after|until|till|til|before|by)? ?(midnight|noon)\b/
const now = /\b(?:right now|at the moment|currently|now|open rn|rn)\b/
const late = /\b(?:open |opened )?late(?: (?:night|hours))?\b/
const always = /\b(?:24 ?\/ ?7|24 ?h(?:ou)?rs?|all night|around the clock)\b/

export function takeTime(take: TakeMatch): AskedTime | null {
  if (take(always)) return { kind: 'always' }
  const midday = take(named)
  const exact = midday ? null : (take(timed) ?? null)
  const bare = exact || midday ? null : take(bareClock)
  const day = takeDay(take)
  if (midday) {
    const minute = midday[2] === 'noon' ? 720 : 1440
    return { kind: 'minute', day: day.day, minute: minute + offsetOf(midday[1]), isEvening: false }
  }
  const at = exact ? { edge: exact[1], hour: exact[2], minute: exact[3], half: exact[4] } : null
  const found = at ?? (bare ? { edge: 'at', hour: bare[1], minute: bare[2], half: bare[3] } : null)
  if (found) {
    const half = found.half ?? day.part ?? ''
    const isMorning = /^a|morning/.test(half)
    const isEvening = /^p|night|evening|afternoon/.test(half)
    const hour = Number(found.hour)
    if (hour <= 24) {
      const full = isMorning
        ? hour % 12
        : isEvening && hour !== 12
          ? (hour % 12) + 12
          : isEvening && /night/.test(half)
            ? 24
            : guessed(hour, day)
      const minute = full * 60 + Number(found.minute ?? 0) + offsetOf(found.edge)
      return { kind: 'minute', day: day.day, minute, isEvening: day.isTonight }
    }
  }
  if (take(late)) return { kind: 'minute', day: day.day ?? { inDays: 0 }, minute: 22 * 60 + 30, isEvening: true }
  if (day.part === 'night' || day.part === 'evening') return { kind: 'minute', day: day.day, minute: 20 * 60, isEvening: true }
  if (day.part === 'morning') return { kind: 'minute', day: day.day, minute: 9 * 60, isEvening: false }
  if (day.day) return { kind: 'day', day: day.day }
  return take(now) ? { kind: 'now' } : null
}

/** Guesses the hour of day if am or pm is missing. */
const guessed = (hour: number, { isTonight, part }: { isTonight: boolean; part: string | null }): number => {
  if (hour > 12) return hour
  if (isTonight) return hour === 12 ? 24 : hour + 12
  if (part === 'morning') return hour
  return hour <= 6 ? hour + 12 : hour
}

/** "Past 11" means open a minute later, "before 8" a minute earlier. */
const offsetOf = (word: string | undefined): number =>
  /^(?:past|after|later)/.test(word ?? '') ? 1 : /^(?:before|until|till|til|by)$/.test(word ?? '') ? -1 : 0

function takeDay(take: TakeMatch): { day: AskedDay | null; part: string | null; isTonight: boolean } {
  const tonight = take(/\b(?:tonight|this evening|later tonight)\b/)
  if (tonight) return { day: { inDays: 0 }, part: 'evening', isTonight: true }
  const tomorrow = take(/\btomorrow\b(?: (morning|evening|night|afternoon))?/)
  if (tomorrow) return { day: { inDays: 1 }, part: tomorrow[1] ?? null, isTonight: false }
  const named = take(dayPattern)
  if (named) return { day: { weekday: named.slice(1, 8).findIndex(Boolean) }, part: named[8] ?? null, isTonight: false }
  const today = take(/\btoday\b/)
  if (today) return { day: { inDays: 0 }, part: null, isTonight: false }
  const part = take(/\bin the (morning|evening|afternoon)\b/)
  return { day: null, part: part?.[1] ?? null, isTonight: false }
}

function dateOf(day: AskedDay, today: string): string {
  if ('inDays' in day) return addDays(today, day.inDays)
  return addDays(today, (day.weekday - weekdayOf(today) + 7) % 7)
}

/** A moment, or a whole day, in a place's zone. `words` describes it: "at 1 AM on Saturday". */
export type ResolvedTime = { words: string } & ({ instant: Date } | { date: string })

export function resolveTime(time: Exclude<AskedTime, { kind: 'always' }>, zone: string, at: Date): ResolvedTime {
  if (time.kind === 'now') return { instant: at, words: 'now' }
  const local = localTime(zone, at)
  if (time.kind === 'day') {
    const date = dateOf(time.day, local.date)
    return { date, words: date === local.date ? 'today' : `on ${dayName(date)}` }
  }
  const isAfterMidnight = time.isEvening && time.minute < 6 * 60
  const date = time.day
    ? addDays(dateOf(time.day, local.date), isAfterMidnight ? 1 : 0)
    : addDays(local.date, time.minute > local.minute ? 0 : 1)
  const instant = new Date(momentOf(zone, date, time.minute))
  const shown = localTime(zone, instant)
  const isSoon = shown.date === local.date
  return { instant, words: `at ${clockTime(zone, instant)}${isSoon ? '' : ` on ${dayName(shown.date)}`}` }
}

const dayFormat = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' })
export const dayName = (date: string): string => dayFormat.format(new Date(Date.parse(`${date}T00:00:00Z`) + dayMs / 2))

const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
/** `2027-01-31` → "January 31, 2027". */
export const dateWords = (date: string): string => dateFormat.format(new Date(`${date}T00:00:00Z`))

/** "8 PM", "11:45 PM", in the zone. */
export function clockTime(zone: string, at: Date): string {
  return minuteWords(localTime(zone, at).minute)
}

export function minuteWords(minuteOfDay: number): string {
  const minute = minuteOfDay % 1440
  if (minute === 0) return 'midnight'
  if (minute === 720) return 'noon'
  const hour = Math.floor(minute / 60)
  const rest = minute % 60
  return `${hour % 12 || 12}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`} ${hour < 12 ? 'AM' : 'PM'}`
}
