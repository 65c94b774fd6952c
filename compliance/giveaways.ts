import { giveables, giving, products } from './lexicon.ts'
import { around, find, type Hit, nearest, phrases, precededBy, type TokenizedText } from './tokens.ts'

const goods = phrases(products, giveables)
const gifts = phrases(giving)

/** "Gluten free", "mite free": what something can be free of. */
const freeOf = new Set(
  `gluten sugar peat dairy nut nuts soy pesticide pesticides chemical chemicals cruelty stress hassle seed stem duty solvent mold mildew mite mites bug
  pest lead risk worry smoke alcohol tobacco hands care caffeine virus viroid hlvd pathogen disease thrips aphid aphids metal metals hermie feel set pain
  residue solventless trouble fat calorie is are`.split(/\s+/),
)
/** "Free draining", "free range": "free" without an offer. */
const notGiven = new Set(
  'range draining flowing time parking wifi shipping delivery entry admission will spirit speech market standing form hand'.split(' '),
)
/** Negations that separate a gift word from a product. */
const unrelated = new Set('nothing never no not without cannot'.split(' '))

/**
 * Products given away, with or without a purchase: free goods, two for one, raffles, prizes. Excludes "feel free", "gluten free" and free
 * parking.
 */
export function findGiveaways(reading: TokenizedText): Hit[] {
  const { tokens } = reading
  const goodsHits = find(reading, goods)
  const found = find(reading, gifts).flatMap((gift): Hit[] => {
    const word = tokens
      .slice(gift.from, gift.to)
      .map((token) => token.word)
      .join(' ')
    const before = (hits: readonly Hit[], to: Hit) => {
      const thing = nearest(reading, hits, to, 5, 'before')
      return thing ? [around(thing, to)] : []
    }
    const near = (within: number, where: 'around' | 'after') => {
      const thing = nearest(reading, goodsHits, gift, within, where)
      return thing && !hasBetween(reading, gift, thing, unrelated) ? [around(gift, thing)] : []
    }
    if (word === 'bogo' || word === 'b2g1' || word === 'b1g1') return [gift]
    if (word === 'free') {
      const after = isGivenFree(reading, gift) ? near(3, 'after') : []
      return after.length === 0 && isSaidFree(reading, gift) ? before(goodsHits, gift) : after
    }
    if (word === 'giveaway' || word === 'giveaways') return isTelltale(reading, gift) ? [] : [gift]
    if (word.startsWith('w') || word === 'contest' || word === 'lucky')
      return offersPrize(reading, gift) ? near(word.startsWith('winner') ? 9 : 6, 'after') : []
    if (word === 'gift' || word === 'gifts')
      return /^(with|for)$/.test(tokens[gift.to]?.word ?? '') &&
        /^(purchase|every|each|any|your|all)$/.test(tokens[gift.to + 1]?.word ?? '')
        ? [gift]
        : []
    if (word === 'cent' || word === 'cents')
      return tokens[gift.from - 1]?.word === '1' || tokens[gift.from - 1]?.word === 'one' ? near(4, 'around') : []
    if (word === 'penny' || word === 'complimentary' || word === 'freebie' || word === 'freebies') return near(6, 'around')
    if (word === 'drawing') return nearest(reading, find(reading, prizes), gift, 8, 'after') ? near(14, 'after') : []
    if (word === 'on us' || word === 'on the house' || word === 'for nothing' || word === 'no charge' || word === 'free of charge')
      return near(8, 'around')
    return near(9, 'around')
  })
  return [
    ...found,
    ...findBundleOffers(reading),
    ...findSplitGiveaways(reading, goodsHits),
    ...findChancesToWin(reading, goodsHits),
    ...findFreeToGoodHome(reading, goodsHits),
    ...findFirstCustomerOffers(reading, goodsHits),
  ]
}

const prizes = phrases('enter|comment|winner|winners|win|wins|prize|ticket|tickets')

function isGivenFree({ tokens, text }: TokenizedText, { from, to }: Hit): boolean {
  const free = tokens[from] as TokenizedText['tokens'][number]
  const before = tokens[from - 1]
  if (text[free.start - 1] === '-') return false
  // "Gluten free": the word before is separated only by a space or a hyphen.
  if (before && freeOf.has(before.word) && /^[ -]{1,2}$/.test(text.slice(before.end, free.start)) && before.sentence === free.sentence)
    return false
  // "They gave me a free joint" reports a gift instead of offering one.
  const [giver, receiver] = [tokens[from - 3]?.word ?? '', tokens[from - 2]?.word ?? '']
  if (/^(me|us)$/.test(receiver) && /^(gave|got|gives|handed|sent|threw)$/.test(giver)) return false
  return !notGiven.has(tokens[to]?.word ?? '') && text[free.end] !== ','
}

/** "Take my extra flower, it's free." */
const isSaidFree = ({ tokens }: TokenizedText, { from, to }: Hit): boolean =>
  /^(it's|its|they're|theyre|for)$/.test(tokens[from - 1]?.word ?? '') && tokens[to]?.sentence !== tokens[from]?.sentence

/** "A dead giveaway." */
const isTelltale = (reading: TokenizedText, hit: Hit) =>
  precededBy(reading, hit, new Set('dead real total was is are were'.split(' ')), 2) &&
  !precededBy(reading, hit, new Set(['our', 'this', 'free']), 2)

/** False for "for the win" and "the winner of my hunt." */
function offersPrize(reading: TokenizedText, { from, to }: Hit): boolean {
  const { tokens } = reading
  const [before, after] = [tokens[from - 1]?.word ?? '', tokens[to]?.word ?? '']
  const word = tokens[from]?.word
  if (word === 'win') return before !== 'the' && !/^(win|at|over|and)$/.test(after)
  if (word === 'winner' || word === 'winners') {
    return tokens.slice(to, to + 4).some((each) => /^(gets|takes|receives|get|take|receive|wins|picked|drawn)$/.test(each.word))
  }
  return true
}

function hasBetween({ tokens }: TokenizedText, a: Hit, b: Hit, words: ReadonlySet<string>): boolean {
  for (let i = Math.min(a.to, b.to); i < Math.max(a.from, b.from); i++) if (words.has(tokens[i]?.word as string)) return true
  return false
}

const spelled: Record<string, number> = { one: 1, two: 2, three: 3, four: 4, five: 5 }
const numberOf = (word: string | undefined) =>
  word === undefined ? undefined : (spelled[word] ?? (/^\d{1,2}$/.test(word) ? Number(word) : undefined))

/** "Buy one get one", "buy an eighth, get a joint", "2 for 1". */
function findBundleOffers({ tokens }: TokenizedText): Hit[] {
  return tokens.flatMap(({ word, sentence }, from) => {
    const many = numberOf(word)
    if (many !== undefined && many >= 2 && tokens[from + 1]?.word === 'for' && numberOf(tokens[from + 2]?.word) !== undefined) {
      const few = numberOf(tokens[from + 2]?.word) as number
      const isMoney = few > 5
      return few < many && !isMoney ? [{ from, to: from + 3 }] : []
    }
    if (word !== 'buy' && word !== 'purchase' && word !== 'spend') return []
    for (let i = from + 1; i < Math.min(tokens.length, from + 9); i++) {
      const token = tokens[i] as (typeof tokens)[number]
      if (token.sentence !== sentence) return []
      if (token.word === 'free' && /^(is|are|one|half|comes|goes)$/.test(tokens[i - 1]?.word ?? '')) return [{ from, to: i + 1 }]
      if (token.word !== 'get' && token.word !== 'receive') continue
      const rest = tokens.slice(i + 1, i + 9).filter((each) => each.sentence === sentence)
      const end = rest.findIndex((each) => /^(free|penny|half|cent|us|house)$/.test(each.word))
      const isTwin = numberOf(tokens[i + 1]?.word) !== undefined && numberOf(tokens[from + 1]?.word) !== undefined
      return end >= 0 || isTwin ? [{ from, to: i + 2 + Math.max(0, end) }] : []
    }
    return []
  })
}

/** "Giving my extra buds away." */
function findSplitGiveaways(reading: TokenizedText, goodsHits: readonly Hit[]): Hit[] {
  const { tokens } = reading
  return tokens.flatMap(({ word, sentence }, from) => {
    if (!/^(give|gives|giving|hand|handing)$/.test(word)) return []
    for (let i = from + 2; i < Math.min(tokens.length, from + 8); i++) {
      if (tokens[i]?.sentence !== sentence) return []
      if (!/^(away|out)$/.test(tokens[i]?.word as string)) continue
      const all = { from, to: i + 1 }
      const thing = nearest(reading, goodsHits, all, 0)
      return thing ? [all] : []
    }
    return []
  })
}

const chance = phrases(
  'chance to win|chances to win|enter to win|share to win|like to win|to win a|to win an|could win|first come first served|raffle ticket|raffle tickets',
)

function findChancesToWin(reading: TokenizedText, goodsHits: readonly Hit[]): Hit[] {
  return find(reading, chance).flatMap((hit) => {
    const thing = nearest(reading, goodsHits, hit, 10)
    return thing ? [around(hit, thing)] : []
  })
}

const homes = phrases(
  'free to a good home|free to good home|free to good homes|free to whoever|free to anyone|free to anybody|free for anyone|free for anybody|free to whomever',
)

function findFreeToGoodHome(reading: TokenizedText, goodsHits: readonly Hit[]): Hit[] {
  return find(reading, homes).flatMap((hit) => {
    const thing = nearest(reading, goodsHits, hit, 12)
    return thing ? [around(thing, hit)] : []
  })
}

/** "The first 50 customers get a joint." */
function findFirstCustomerOffers(reading: TokenizedText, goodsHits: readonly Hit[]): Hit[] {
  const { tokens } = reading
  return tokens.flatMap(({ word, sentence }, from) => {
    if (word !== 'first') return []
    const taking = tokens
      .slice(from + 1, from + 9)
      .findIndex((each) => each.sentence === sentence && /^(get|gets|receive|receives|score|scores)$/.test(each.word))
    if (taking < 1) return []
    const all = { from, to: from + 2 + taking }
    const thing = nearest(reading, goodsHits, all, 7, 'after')
    return thing ? [around(all, thing)] : []
  })
}
