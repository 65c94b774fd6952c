import { findPhoneNumbers } from './contacts.ts'
import { amounts, buying, contacting, delivering, meeting, messengers, offering, payments, shipping } from './lexicon.ts'
import { around, find, firstFrom, type Hit, nearest, phrases, precededBy, type TokenizedText } from './tokens.ts'

const lists = {
  goods: phrases(amounts),
  offers: phrases(offering),
  buying: phrases(buying),
  contacts: phrases(contacting),
  messengers: phrases(messengers),
  payments: phrases(payments),
  shipping: phrases(shipping),
  delivering: phrases(delivering),
  meeting: phrases(meeting),
}

/** Words about past payments or shop prices, which aren't offers. */
const reporting = new Set(
  `paid pay cost costs bought buying charged charges charge spent shop shops store stores dispensary dispensaries nursery breeder breeder's they their he she
  place places were was budtender farmers hydro bank website site company electric rent utility`.split(/\s+/),
)

/**
 * Peer sales: someone offers or seeks cannabis, seeds or cuts for money, gives contact details for that, or ships. Excludes prices paid in
 * a shop or charged by others.
 */
export function findSales(reading: TokenizedText): Hit[] {
  const goods = find(reading, lists.goods)
  const prices = findPrices(reading, goods)
  const contacts = find(reading, lists.contacts)
  const offers = find(reading, lists.offers)
  return [
    ...findShipping(reading),
    ...filterDeliveries(reading, find(reading, lists.delivering)),
    ...findChannels(reading),
    ...priceLists(reading, prices, goods),
    ...findPricedOffers(reading, prices, goods, offers, contacts),
    ...findOffers(reading, offers, goods),
    ...find(reading, lists.buying).filter((hit) => seeksGoods(reading, hit, goods)),
    ...findContactRequests(reading, contacts, goods),
    ...find(reading, slang).filter(({ to }) => !/^(the|a|my|this)$/.test(wordAt(reading, to)) || wordAt(reading, to - 1) !== 'in'),
    ...findSlangOffers(reading, contacts),
    ...findSharedNumbers(reading),
    ...findTrades(reading, goods),
  ]
}

const slang = phrases(
  "plug here|prices in dm|price in dm|prices in dms|menu in dm|prices in my dms|looking for a plug|need a plug|any plugs|looking for a connect|i'm the plug|im the plug|your plug|the plug in|vendor here|fire packs|prices on request|price on request|got everything|serious buyers|gas in stock|tap in|anyone need gas|anybody need gas|who needs gas|need gas",
)

const wordAt = ({ tokens }: TokenizedText, i: number) => tokens[i]?.word ?? ''
const isReported = (reading: TokenizedText, hit: Hit) => precededBy(reading, hit, reporting, 12) || followedBy(reading, hit, reporting, 7)

function followedBy({ tokens }: TokenizedText, { from, to }: Hit, words: ReadonlySet<string>, within: number): boolean {
  const sentence = tokens[from]?.sentence
  return tokens.slice(to, to + within).some((token) => token.sentence === sentence && words.has(token.word))
}

const growingSupplies = new Set('nutrients nutrient soil water lights light tent merch shirt stickers pots fans filter filters'.split(' '))

export const findShipping = (reading: TokenizedText): Hit[] => filterDeliveries(reading, find(reading, lists.shipping))

const denials = new Set(["don't", 'not', 'cannot', "can't", 'never', 'dont', 'no'])

/** Goods that the author delivers or ships; excludes shops, pots and soil. */
const filterDeliveries = (reading: TokenizedText, hits: readonly Hit[]): Hit[] =>
  hits.filter(
    (hit) =>
      !precededBy(reading, hit, reporting, 4) && !followedBy(reading, hit, growingSupplies, 5) && !precededBy(reading, hit, denials, 3),
  )

/** "On telegram @name", "signal: name", "cashapp only". */
export function findChannels(reading: TokenizedText): Hit[] {
  const { text, tokens } = reading
  const contactLeadIn = /^(me|us|my|our|the|on|hit|add|via|through|order|orders|menu|prices|price|channel|for)$/
  const messengers = find(reading, lists.messengers).filter((hit) => {
    const last = tokens[hit.to - 1] as (typeof tokens)[number]
    const behind = text.slice(last.end, last.end + 4)
    if (/^\s?(?:@|:\s?@?[a-z0-9])/.test(behind) || /^ (me|us)\b/.test(behind)) return true
    if (/^ ?\+/.test(behind)) return true
    const before = tokens
      .slice(Math.max(0, hit.from - 4), hit.from)
      .some((token) => /^(hit|join|add|my|our|reach|find|order|message|text|write)$/.test(token.word))
    const after = tokens.slice(hit.to, hit.to + 4).some((token) => /^(menu|prices|price|order|orders|channel|stock)$/.test(token.word))
    return (before && contactLeadIn.test(tokens[hit.from - 1]?.word ?? '')) || after
  })
  const payments = find(reading, lists.payments).filter((hit) => {
    const last = tokens[hit.to - 1] as (typeof tokens)[number]
    return (
      /^\s?\$[a-z]/.test(text.slice(last.end, last.end + 3)) || /^(only|accepted|or|friends|preferred|ok)$/.test(wordAt(reading, hit.to))
    )
  })
  return [...messengers, ...payments, ...hitsAt(reading, [...text.matchAll(messengerAddress)])]
}

/** "t.me/name", even if split up: "t . me / name", "t dot me slash name". */
const messengerAddress = /(?<![a-z0-9.-])(?:t|w\s?a|signal)\s{0,2}(?:\.|,|dot)\s{0,2}m\s?e\s{0,2}(?:\/|slash)\s{0,2}\+?[a-z0-9_]{3,32}/g

/** Converts sorted text ranges to token ranges. */
function hitsAt({ tokens }: TokenizedText, stretches: readonly RegExpExecArray[]): Hit[] {
  let at = 0
  return stretches.flatMap(({ index, 0: found }): Hit[] => {
    while (at < tokens.length && (tokens[at] as (typeof tokens)[number]).start < index) at++
    const from = at
    while (at < tokens.length && (tokens[at] as (typeof tokens)[number]).start < index + found.length) at++
    return at > from ? [{ from, to: at }] : []
  })
}

const streetGoods = phrases('zaza|exotics|zip|zips|zipper|qp|qps|elbow|elbows|gas|packs|loud|moonrocks')

/** "Zaza hmu", "zips tap in": slang for goods next to a request to get in touch. */
function findSlangOffers(reading: TokenizedText, contacts: readonly Hit[]): Hit[] {
  const goods = find(reading, streetGoods)
  return contacts.flatMap((contact) => {
    if (!/^(hmu|hit|tap|dm|pm|holler)$/.test(wordAt(reading, contact.from))) return []
    const thing = nearest(reading, goods, contact, 2, 'before')
    const next = wordAt(reading, contact.to)
    const goesOn = /^(for|if|about|when|with|to|the|a)$/.test(/^(me|us)$/.test(next) ? wordAt(reading, contact.to + 1) : next)
    return thing && !goesOn && !isReported(reading, thing) ? [around(thing, contact)] : []
  })
}

const currency = /^(bucks|dollars|dollar|usd|cash|each|apiece|ea|buck|e|firm|per|obo|shipped)$/

const spelled = new Set('five six seven eight nine ten fifteen twenty thirty forty fifty sixty seventy eighty ninety hundred'.split(' '))

/** "Bucks", "each", "a pop". */
const isCounted = (reading: TokenizedText, from: number) =>
  currency.test(wordAt(reading, from)) ||
  (wordAt(reading, from) === 'a' && /^(piece|pop|cut|clone|g|gram|zip|oz|pack|p|unit|plant)$/.test(wordAt(reading, from + 1)))

/** Finds prices: $20, 20 bucks, 3 for 100, zip 130, QP = $350. */
function findPrices(reading: TokenizedText, goods: readonly Hit[]): Hit[] {
  const { text, tokens } = reading
  const startsGood = new Set(goods.map(({ from }) => from))
  const endsGood = new Set(goods.map(({ to }) => to))
  return tokens.flatMap(({ word, start, end }, from): Hit[] => {
    if (spelled.has(word))
      return isCounted(reading, spelled.has(wordAt(reading, from + 1)) ? from + 2 : from + 1) ? [{ from, to: from + 1 }] : []
    if (!/^\d/.test(word)) return []
    const isThousands = /^k\b/.test(text.slice(end, end + 2))
    const amount = Number(word.replaceAll(',', '')) * (isThousands ? 1000 : 1)
    if (!(amount >= 3 && amount <= 20_000)) return []
    const hit = { from, to: from + 1 }
    if (/[$€£]\s?$/.test(text.slice(Math.max(0, start - 2), start)) || /^\s?[$€£]/.test(text.slice(end, end + 2))) return [hit]
    const next = wordAt(reading, from + (isThousands ? 2 : 1))
    const before = wordAt(reading, from - 1)
    if (isCounted(reading, from + (isThousands ? 2 : 1))) return [hit]
    // A bare number after "for", "at" or an amount is a price unless a counted item follows.
    if (
      (startsGood.has(from + 1) && !/[,;/]/.test(text.slice(end, tokens[from + 1]?.start))) ||
      /^(percent|degrees|days|day|weeks|week|hours|minutes|min|am|pm|people|plants|ml|mg|gal|gallon|gallons|f|c|watts|w|inches|ft|cups|cup|miles|years)$/.test(
        next,
      )
    )
      return []
    if (/^\s?[%°'"]/.test(text.slice(end, end + 2)) || amount < 10) return []
    if (next === 'for' && /^(a|an|the)$/.test(wordAt(reading, from + 2)) && startsGood.has(from + 3)) return [hit]
    if (endsGood.has(from) && !/[.#]/.test(text.slice((tokens[from - 1] as (typeof tokens)[number]).end, start))) return [hit]
    if (/^(are|is)$/.test(before) && endsGood.has(from - 1)) return [hit]
    return /^(for|at|only|just)$/.test(before) ? [hit] : []
  })
}

/** Two prices next to goods, with at most six tokens between them. */
function priceLists(reading: TokenizedText, prices: readonly Hit[], goods: readonly Hit[]): Hit[] {
  const pairs = prices.flatMap((price) => {
    const thing = nearest(reading, goods, price, 2)
    return thing ? [around(price, thing)] : []
  })
  return pairs.flatMap((pair, i) => {
    const before = pairs[i - 1]
    if (!before || pair.from - before.to > 6) return []
    const both = around(before, pair)
    return isReported(reading, both) ? [] : [both]
  })
}

/** A price for an amount near an offer or contact details, even across sentences. */
function findPricedOffers(
  reading: TokenizedText,
  prices: readonly Hit[],
  goods: readonly Hit[],
  offers: readonly Hit[],
  contacts: readonly Hit[],
): Hit[] {
  const ways = [...offers, ...contacts, ...find(reading, lists.meeting), ...find(reading, lists.payments)].sort((a, b) => a.from - b.from)
  return prices.flatMap((price) => {
    const thing = nearest(reading, goods, price, 9)
    if (!thing) return []
    const pair = around(price, thing)
    if (isReported(reading, pair)) return []
    const isWay = (hit: Hit) => hit.to >= pair.from - 10 && !(isWithin(hit, pair) && isWithin(hit, thing))
    let way: Hit | undefined
    for (let i = firstFrom(ways, pair.from - 18); !way && i < ways.length && (ways[i] as Hit).from <= pair.to + 10; i++) {
      if (isWay(ways[i] as Hit)) way = ways[i]
    }
    return way ? [around(pair, way)] : []
  })
}

const isWithin = (inner: Hit, outer: Hit) => inner.from >= outer.from && inner.to <= outer.to

/** "Selling clones", "clones for sale", "letting go of my cuts". */
function findOffers(reading: TokenizedText, offers: readonly Hit[], goods: readonly Hit[]): Hit[] {
  return offers.flatMap((offer) => {
    const words = reading.tokens
      .slice(offer.from, offer.to)
      .map((token) => token.word)
      .join(' ')
    if (
      !/^(selling|sell|i sell|we sell|for sale|4 sale|4sale|forsale|wts|letting go|taking orders|moving|unloading|get rid of|offload|offloading|move my)$/.test(
        words,
      )
    )
      return []
    if (precededBy(reading, offer, reporting, 4) || followedBy(reading, offer, reporting, 5)) return []
    if (/^(out|point)$/.test(wordAt(reading, offer.to)) || /^(on|not|don't)$/.test(wordAt(reading, offer.from - 1))) return []
    const thing = nearest(reading, goods, offer, 5, words.endsWith('sale') ? 'around' : 'after')
    return thing ? [around(offer, thing)] : []
  })
}

function seeksGoods(reading: TokenizedText, hit: Hit, goods: readonly Hit[]): boolean {
  if (/^(who's|whos|who|anyone|anybody)$/.test(wordAt(reading, hit.from)) && /^(selling|sells)$/.test(wordAt(reading, hit.to - 1))) {
    return !/^(lights|soil|tents|nutrients|worms|pots)$/.test(wordAt(reading, hit.to))
  }
  return nearest(reading, goods, hit, 5, 'after') !== undefined
}

const wants = phrases(
  'menu|price|prices|pricing|buy|to buy|order|orders|address|stock|half|zip|zips|bud|gas|pack|packs|good stuff|list|product|loud|bags|cop|flavors',
)

/** "DM for prices", "message me to buy", "text me if you want a half". */
function findContactRequests(reading: TokenizedText, contacts: readonly Hit[], goods: readonly Hit[]): Hit[] {
  const sought = find(reading, wants)
  return contacts.flatMap((contact) => {
    if (precededBy(reading, contact, new Set('the a from got sent is received no not'.split(' ')), 1)) return []
    const next = wordAt(reading, contact.to)
    if (/^(on|from|the|is|was|came|died)$/.test(next)) return []
    if (next === 'to' && !/^(buy|order|cop|purchase|get)$/.test(wordAt(reading, contact.to + 1))) return []
    // "DM me for clones", but not "call me crazy, but I like seeds".
    const isForGoods = /^(for|if|about|to|when)$/.test(next)
    const thing = nearest(reading, sought, contact, 6, 'after') ?? (isForGoods ? nearest(reading, goods, contact, 6, 'after') : undefined)
    return thing && !followedBy(reading, contact, new Set('questions question ordered ready mods'.split(' ')), 8)
      ? [around(contact, thing)]
      : []
  })
}

/** "Text or call" and a number: publicly shared phone numbers suggest a sale. */
function findSharedNumbers(reading: TokenizedText): Hit[] {
  const { tokens, text } = reading
  let at = 0
  return findPhoneNumbers(text).flatMap(({ start, end }): Hit[] => {
    while (at < tokens.length && (tokens[at] as (typeof tokens)[number]).end <= start) at++
    const from = at
    while (at < tokens.length && (tokens[at] as (typeof tokens)[number]).start < end) at++
    const number = { from, to: at }
    const isAsked = tokens
      .slice(Math.max(0, from - 5), from + 1)
      .some(({ word }) => /^(text|call|hit|hmu|dm|message|ring|whatsapp|signal)$/.test(word))
    return isAsked && !isReported(reading, number) ? [number] : []
  })
}

const money = new Set('cash money venmo zelle cashapp paypal bitcoin'.split(' '))

/** "Trading clones for cash". */
function findTrades(reading: TokenizedText, goods: readonly Hit[]): Hit[] {
  return reading.tokens.flatMap(({ word }, from) => {
    if (!/^(trade|trading|swap|swapping)$/.test(word)) return []
    const hit = { from, to: from + 1 }
    const thing = nearest(reading, goods, hit, 4, 'after')
    return thing && followedBy(reading, thing, money, 5) ? [around(hit, thing)] : []
  })
}
