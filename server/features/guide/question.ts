import { type BusinessType, businessTypeLabels, businessTypePluralLabels, businessTypes } from '#contracts/business-types.ts'
import type { CommunityCategory } from '#contracts/communities.ts'
import { foldText } from '#server/kernel/fold-text.ts'
import { resolvePlace } from '#server/kernel/geo/place-search.ts'

/** The subject of a question. Without a business type, place or community, its words may still be a name. */
export type Wanted = {
  type: BusinessType | null
  /** In the gazetteer's form: "Denver, CO". */
  place: string | null
  /** Near the person's home. */
  isNearMe: boolean
  isAboutBusinesses: boolean
  isAboutCommunities: boolean
  category: CommunityCategory | null
  /** The remaining words: a topic or a name. */
  words: string[]
}

/** Other words people use for a business type. */
const synonyms: Partial<Record<BusinessType, string>> = {
  farm: 'growers?|cultivators?',
  dispensary: 'pot shops?|weed shops?',
  smoke_shop: 'head shops?',
  glass_shop: 'glass ?blowers?',
  food_service: 'restaurants?|caf(?:e|es)|lounges?',
  delivery: 'delivery services?|deliver(?:ies|s)?',
}

/** If a question names two types, the first in this order. */
const order: readonly BusinessType[] = ['glass_shop', 'smoke_shop', 'delivery', 'farm', 'dispensary', 'food_service', ...businessTypes]

const trades = [...new Set(order)]
  .filter((type) => type !== 'other')
  .map((type) => {
    const names = [synonyms[type], businessTypePluralLabels[type], businessTypeLabels[type]].filter((name) => name !== undefined)
    return [new RegExp(`\\b(?:${names.join('|').toLowerCase()})\\b`, 'g'), type] as const
  })
const anyBusiness = /\b(?:business(?:es)?|shops?|stores?|places? to|listings?)\b/g
const communityWords = /\b(?:communit(?:y|ies)|groups?|forums?)\b/g
const nearMe = /\b(?:near(?:by|est)?(?: to)? me|nearby|around me|close to me|near here|around here|in my (?:city|town|area))\b/g

const categories: readonly (readonly [RegExp, CommunityCategory])[] = [
  [/\b(?:grow(?:ing|ers?)?|outdoor|indoor|seeds?|plants?)\b/, 'growing'],
  [/\b(?:strains?|genetics|breed(?:ing|ers?))\b/, 'strains'],
  [/\b(?:business|trade|industry)\b/, 'business'],
  [/\bmedical\b/, 'medical'],
]

const fillers = new Set(
  `a an and any are about around at be best can could do does for find from get give good great has have highest how i in is it like list looking me most my near new of on open
or please rated rating ratings recommend review reviews search show some tell than that the there these this to top try visit want what whats which who with would you
where now today here called named say says was were know more newest buy sell sells selling carry carries menu menus people many`.split(
    /\s+/,
  ),
)

const ofDirectory = /\b(?:find|show|recommend|best|top|rated|nearest|open now|where can i buy|which|who sells|list)\b/

export function readQuestion(question: string): Wanted {
  let text = foldText(question)
    .replace(/[^\p{L}\p{N}', -]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const take = (pattern: RegExp): boolean => {
    const rest = text.replace(pattern, ' ')
    const isThere = rest !== text
    text = rest
    return isThere
  }
  const isAboutCommunities = take(communityWords)
  const category = isAboutCommunities ? (categories.find(([pattern]) => pattern.test(text))?.[1] ?? null) : null
  const isNearMe = take(nearMe)
  const isOfDirectory = ofDirectory.test(text)
  const place = isAboutCommunities ? null : placeIn(text)
  if (place) text = text.replace(place.words, ' ')
  let type: BusinessType | null = null
  if (!isAboutCommunities) for (const [pattern, trade] of trades) if (take(pattern)) type ??= trade
  take(anyBusiness)
  const isAboutBusinesses = !isAboutCommunities && (place !== null || isNearMe || (type !== null && isOfDirectory))
  const words = text.split(/[\s,]+/).filter((word) => word.length > 1 && !fillers.has(word))
  return { type, place: place?.label ?? null, isNearMe, isAboutBusinesses, isAboutCommunities, category, words }
}

const maxPlaceWords = 4
/** Enough for real questions; every candidate that isn't a place costs a search through all names. */
const maxTried = 3

/** "in Denver", "near Eugene, OR": the longest run of words after the preposition that is a place. */
function placeIn(text: string): { label: string; words: string } | null {
  let tried = 0
  for (const match of text.matchAll(/\b(?:in|near|around|by|at) /g)) {
    if (tried === maxTried) return null
    const rest = text.slice(match.index + match[0].length).split(' ')
    // Some common words are also towns: "in my", "near the".
    if (/^(?:my|the|a|an|it|this|that|your|our|me|here|them|order|general|front)$/.test(rest[0] ?? '')) continue
    tried++
    for (let count = Math.min(maxPlaceWords, rest.length); count > 0; count--) {
      const words = rest.slice(0, count).join(' ').replace(/,+$/, '')
      const place = resolvePlace(words)
      if (place) return { label: place.label, words: `${match[0]}${words}` }
    }
  }
  return null
}
