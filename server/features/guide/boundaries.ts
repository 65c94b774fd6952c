import { findLinks, findPhoneNumbers } from '#compliance/contacts.ts'
import { fold } from '#compliance/fold.ts'
import { findHealthClaims } from '#compliance/health.ts'
import { conditions, drugs } from '#compliance/lexicon.ts'
import { allRules } from '#compliance/rules.ts'
import { find, phrases, read } from '#compliance/tokens.ts'
import { unmask } from '#compliance/unmask.ts'
import type { GuideLink, GuideRefusal } from '#contracts/guide.endpoints.ts'
import { resolvePlace } from '#server/kernel/geo/place-search.ts'

/**
 * Topics the guide refers elsewhere: emergencies, doses, health and law. Pure, and errs on the side of caution: a wrongly
 * refused question gets a referral, while a wrongly accepted one gets only records from this site.
 *
 * boundaries.test.ts measures its accuracy with labeled-questions.json.
 */
export function boundaryOf(text: string): GuideRefusal | null {
  const words = wordsOf(text)
  if (isEmergency(words)) return 'emergency'
  if (isLegal(words)) return 'legal'
  if (isDose(words)) return 'dose'
  if (isHealth(words)) return 'health'
  return null
}

/** Whether a text may be shown: it must not make health claims or touch refused topics. */
export function isSafeText(text: string): boolean {
  return boundaryOf(text) === null && findHealthClaims(read(unmask(text).text), { isBusiness: true }).length === 0
}

/** Whether a name may be shown and passed on: it must not promise a cure. */
export const isSafeName = (name: string): boolean => findHealthClaims(read(unmask(name).text), { isBusiness: true }).length === 0

/** Like `isSafeName`, but the name also must not say what the item is meant to help with: "Sleep Gummies". */
export const isSafeItemName = (name: string): boolean => isSafeName(name) && find(read(wordsOf(name).trim()), ills).length === 0

/** Lowercase, without disguises such as "w33d", with one space between and around the words. */
const wordsOf = (text: string): string => {
  const words = read(unmask(text).text)
    .tokens.map(({ word }) => word)
    .join(' ')
  return ` ${words} `.replace(/\b(?:can t|cant)\b/g, "can't").replace(/\b(?:won t|wont)\b/g, "won't")
}

const someone =
  'child|children|kid|kids|toddler|baby|infant|son|daughter|niece|nephew|grandson|granddaughter|brother|sister|dog|dogs|puppy|pup|cat|cats|kitten|pet|pets|rabbit|bird|horse|roommate|husband|wife|mom|dad|grandma|grandpa|girlfriend|boyfriend|friend|year old'
const swallows =
  'ate|eat|eats|eaten|eating|swallowed|swallow|swallows|licked|licks|drank|drunk|drinks|chewed|chews|got into|gets into|ingested|ingests|consumed|bit|bitten|found my|had some|had my'
const swallowedByOne = new RegExp(` (?:${someone}) (?:.* )?(?:${swallows}) | (?:${swallows}) (?:.* )?by (?:my|our|the|a) (?:${someone}) `)
const emergencies = [
  swallowedByOne,
  / (?:suicid\w*|overdos\w*|od'd|poisoned|poisoning|ambulance|unconscious|unresponsive|collapsed|fainted|fainting|hallucinat\w+|911) /,
  / (?:vomited|vomits|vomiting|puking|puked|wobbling|wobbly|shaking|convuls\w+|pale|confused|dizzy|not moving|isn't moving|hurts|numb) (?:\w+ )*(?:after|from|roach|edibles?|gumm\w+|weed|dab|bong|joint) | (?:roach|edibles?|gumm\w+|weed|dab|bong|joint|tea|infused) (?:\w+ )*(?:vomit\w*|wobbling|shaking|pale|confused|dizzy|not moving) /,
  / (?:feel like|want|reason|reasons) (?:to live|to go on|living) (?:anymore|any longer|any more) | no reason to live | don't want to live | self harm | ending it all | end it all | in (?:her|his|their|its) mouth | (?:is|it) toxic /,
  / (?:fell|falling) (?:over|down) | heart skipping | (?:throwing up|vomiting) nonstop | poison control | emergency room | heart attack | turning blue | freaking out | not responding /,
  / (?:kill|killing|hurt|hurting|harm|harming) (?:myself|himself|herself|themselves) | end(?:ing)? my life | want to die /,
  / green(?:ed|ing) out | (?:pass|passed|passing|black|blacked|blacking) out /,
  / (?:took|taken|take|ate|eaten|smoked|drank|vaped|consumed|swallowed|had|did|used|hit) (?:\w+ ){0,3}too (?:much|many) /,
  / (?:can't|cannot|trouble|struggling|hard to|won't|stopped|isn't|not) (?:\w+ ){0,2}(?:breathe|breathing|wake|waking|throwing up|vomiting|puking|shaking) /,
  / chest pains? | heart (?:is |was |keeps |won't stop )*(?:racing|pounding|stopping|stopped) /,
  / (?:having|has|had) a seizure | seizing /,
]

const isEmergency = (words: string): boolean => emergencies.some((pattern) => pattern.test(words))

const consumables =
  'weed|cannabis|hemp|marijuana|thc|cbd|edible|edibles|gummy|gummies|brownie|brownies|chocolate|chocolates|drink|drinks|soda|tincture|tinctures|drops|oil|joint|joints|pre roll|pre rolls|puff|puffs|hit|hits|dab|dabs|cart|carts|vape|concentrate|concentrates|capsule|capsules|flower|bud|buds|seeds|clones|hash|rosin'
const consumable = new RegExp(` (?:${consumables}) `)
const consumes = / (?:take|taking|eat|eating|smoke|smoking|vape|vaping|dab|consume|ingest|inhale|feel|kick in|high|stoned|another) /
/** Words that mark a question as one about the site: what is on a menu, what it costs, who sells it. */
const aboutListings =
  / (?:menu|menus|item|items|price|prices|cost|costs|listed|csv|import|column|field|sell|sells|dispensaries|farms|shops|stores|communities|posts|near|log|logs|logged) /
const asksForMyself = / (?:should|can|could|may|must) i (?:take|eat|smoke|vape|have|dab|drink|use|consume) /

const asksForPrice =
  / how much (?:is|are|for|does|do) (?!.*(?:too much|safe|enough|should|take|eat|smoke|vape|drink|normal|high|first|beginners?|mg|person|body|someone) )/

/** "100mg gummies in Denver", but not "in one day". */
function namesItemInPlace(words: string): boolean {
  const [, item, place] = /^ \d+ (?:mg|mgs|milligrams?) (.+) (?:in|around) (.+) $/.exec(words) ?? []
  return item !== undefined && place !== undefined && consumable.test(` ${item} `) && resolvePlace(place) !== null
}

/** "A 100 mg chocolate bar" describes a package, unless the question is about taking it. */
const asksForItem = (words: string): boolean =>
  (/ (?:looking for|need|want|find|who has|who sells|price|cheap|cheapest|under|bars?|carts?|cartridges?|tinctures?) /.test(words) ||
    namesItemInPlace(words)) &&
  !/ (?:should|can i|take|taking|eat|eating|enough|much|many|safe|start|first|beginners?|feel|feels|tolerance|too|high|person|body) /.test(
    words,
  )

function isDose(words: string): boolean {
  // "How long does a claim take?" asks about time, not a dose.
  if (/ (?:long|much time) (?:does|do|will|did) (?:\w+ ){1,3}take (?!to kick in)/.test(words) && !consumable.test(words)) return false
  if (/ (?:system|body|blood|urine|drug tests?) /.test(words)) return false
  const isAboutListings = aboutListings.test(words) && !asksForMyself.test(words)
  if (/ (?:dose|doses|dosage|dosages|dosing|redose|microdos\w*|tolerance|onset|lethal) /.test(words)) return true
  if (isAboutListings) return false
  if (/ (?:mg|mgs|milligrams?) /.test(words) && !asksForItem(words)) return true
  if (/ (?:kick in|wear off|wears off|come down|sober up|safe amount) /.test(words)) return true
  if (asksForPrice.test(words)) return false
  if (/ how (?:much|many|often|strong|long|high|soon|big) /.test(words) && (consumable.test(words) || consumes.test(words))) return true
  if (/ when can i (?:take|eat|have|smoke) /.test(words)) return true
  if (/ (?:eat|take|smoke|have|drink|use) (?:another|more|again|two|three|both|half|a whole|the whole|it all|all of) .*/.test(words))
    return consumable.test(words) || / at once /.test(words)
  if (/ enough for /.test(words) && consumable.test(words)) return true
  if (
    / (?:amount|plenty|potent|potency|percentage|strength) /.test(words) &&
    / (?:start|begin|normal|small|newbie|beginners?|first|half|whole|cookie) /.test(words)
  )
    return true
  return / (?:beginners?|first time|first timers?|newbie|first edible) /.test(words) && consumable.test(words)
}

const ills = phrases(
  conditions,
  drugs,
  `sleep|sleeping|asleep|stomach pain|pregnant|pregnancy|breastfeeding|breast feeding|nursing|medication|medications|meds|pills|menopause|sleepy|drowsy|awake|terpene for|prescription|prescriptions|
antidepressants|blood thinner|blood thinners|chemo|drug test|drug tests|test positive|side effect|side effects|addictive|addicted|withdrawal|unhealthy|healthy|
healthier|health|lungs|brain damage|psychosis|paranoia|paranoid|anxious|depressed|symptom|symptoms|disease|illness|doctor|relief|overdose|
in your system|in my system|in the system|bad for you|bad for your|bad for my|help me relax|calm down|helps with|help with my|good for my|focus`.replaceAll(
    '\n',
    '',
  ),
)

/** Removes harmless phrases: a name after "called", a nuisance called a pain, and "focus on". */
const harmless = (words: string): string =>
  words
    .replace(/ (?:called|named) .*/, ' ')
    .replace(/ (?:is|was|such|be) a (?:real |huge )?(?:pain|headache)(?: in the (?:neck|butt|ass))? /g, ' ')
    .replace(/ pain in the (?:neck|butt|ass) /g, ' ')
    .replace(/ (?:focus(?:es|ed)? on) /g, ' ')

function isHealth(words: string): boolean {
  const text = harmless(words)
  const isAboutRules = / (?:guideline|guidelines|rule|rules|moderators?|held|report|claims) /.test(text) && !/ (?:i|my|me) /.test(text)
  if (isAboutRules) return false
  const isAboutPlants =
    / (?:plant|plants|leaf|leaves|seedlings?|roots?|soil|mites) /.test(text) && !/ (?:my|for) (?:back|pain|anxiety|sleep) /.test(text)
  if (isAboutPlants) return / (?:cure|cures|treat|treats|heal|heals) (?:\w+ ){0,2}(?:cancer|pain|anxiety|depression) /.test(text)
  if (/ (?:is|are) (?:\w+ ){1,4}safe /.test(text) && (consumable.test(text) || / (?:it|smoking|vaping) /.test(text))) return true
  if (/ safe (?:to|while|for|with|during) /.test(text)) return true
  if (/ (?:interacts?|mix|mixing|combine) (?:\w+ ){0,3}with /.test(text)) return true
  if (
    / (?:my|your|for|the) (?:\w+ )?(?:legs?|heart|memory|liver|kidneys?|brain|stomach|skin|throat|lungs|nerves|joints hurt|muscles|back|immune) /.test(
      text,
    )
  )
    return true
  if (
    / (?:makes?|gets?|leaves?) (?:you|me|u|ya|people|someone|us) /.test(text) &&
    (consumable.test(text) || / (?:indica|sativa|hybrid)s? /.test(text))
  )
    return true
  if (/ (?:calms?|relaxes|relieves|soothes|sedates|hangover) /.test(text)) return true
  if (find(read(text.trim()), ills).length > 0) return true
  // A question that mentions a product or its use, but neither finding nor buying it, counts as a health question.
  const isAboutUse = consumable.test(text) || / (?:smoke|smoking|vaping|bong|stoned|high|infused) /.test(text)
  return isAboutUse && !isAboutFinding.test(text) && !isAboutShopping(text)
}

/** Whether a question asks about a product's price, availability or strength, or only names the product, without words about using it. */
function isAboutShopping(text: string): boolean {
  if (asksForPrice.test(text)) return true
  if (
    / (?:cheap|cheapest|cheaper|affordable|under|below|less than|dollars|bucks|sale|deals?|discounts?|in stock|thc|available|buy|carry|carries|stocks?) /.test(
      text,
    )
  )
    return !/ (?:should|will|would|make|makes|feel|feels|effects?|safe|smoke|eat|better|beginners?|tolerance) /.test(text)
  if (/ (?:has|have|got|get) /.test(text))
    return !/ (?:should|can i|could|effects?|safe|high|stoned|before|after|while|when|if|smoke|too) /.test(text)
  return !asksOrTells.test(text)
}

const asksOrTells =
  / (?:do|does|did|will|would|can|can't|could|should|shall|may|must|is|are|was|were|am|be|been|being|i|i'm|my|me|you|your|he|she|it|they|we|make|makes|made|feel|feels|last|lasts|work|works|help|helps|why|how|when|if|what|before|after|while|with|without|better|worse|safe|vs|versus|or|than|too|smoke|smoking|vaping|eat|eating|take|taking|drink|drinking|stoned|drunk|sober|effects?|beginners?|tolerance|tonight) /

const isAboutFinding =
  / (?:find|show|where|near|nearest|who|which|what is|what are|tell me|list|shop|shops|store|stores|farm|farms|dispensary|dispensaries|delivery|lounge|lounges|menu|menus|community|communities|post|posts|review|reviews|hunt|hunts|photo|photos|price|prices|cost|costs|rated|ratings|called|brand|brands|sell|sells|deals|open|import|label|labels|log|logs|category|categories|here) /

const isAboutSite =
  / (?:here|this site|this page|this app|sungrove|account|profile|password|post|posts|review|reviews|badge|verify|verified|listing|menu|draft|data|terms of service|privacy) /
const permission =
  / (?:allowed|permitted|can i|can you|can we|can my|may i|may we|may my|am i|is it ok|is it okay|is it fine|could i|do i need|how to|how many|how much|is) /

function isLegal(words: string): boolean {
  if (
    / (?:legal|legally|illegal|illegally|legality|legali[sz]\w*|law|laws|lawful|unlawful|lawyer|attorney|court|police|cops?|arrest|arrested|felon|felons|felony|misdemeanor|possession|jail|prison|probation|parole|dui|dwi|warrant|sue|suing|lawsuit|liable|liability|landlord|evict|evicted|eviction|customs|tsa|280e|irs|decriminal\w*|statutes?|regulations?) /.test(
      words,
    )
  )
    return true
  if (/ (?:medical|med|mmj|patient) cards? /.test(words)) return true
  if (/ (?:drive|driving) /.test(words) && / (?:after|high|stoned|while|on) /.test(words)) return true
  if (/ (?:fly|flying|plane|airplane) | through (?:the )?airport | airport security /.test(words)) return true
  if (/ border | state lines? | (?:to|into) another state | out of state /.test(words)) return true
  if (/ (?:mail|ship|send|bring|carry|serve) /.test(words) && permission.test(words) && (consumable.test(words) || / carry /.test(words)))
    return true
  if (
    / (?:crime|criminal|fined|custody|tourists?|federal|federally|rescheduling|register my|immigration|visa|officers?|penalty|the fine for|stash|a fine|legalities|contraband) /.test(
      words,
    )
  )
    return true
  if (/ (?:have to be|must be|be) (?:18|19|21) /.test(words) && !isAboutSite.test(words)) return true
  if (/ (?:test|tested|testing) (?:me|positive|us|employees) /.test(words)) return true
  if (
    permission.test(words) &&
    / (?:cruise|train|amtrak|bus|church|hotel|concert|park|beach|campus|balcony|apartment|rental|abroad|overseas|luggage) /.test(words)
  )
    return consumable.test(words) || / (?:smoke|smoking|grow|growing|vape) /.test(words)
  if (
    permission.test(words) &&
    / (?:give|gift|share|sell|trade) /.test(words) &&
    / (?:harvest|weed|bud|flower|clones|seeds|homegrown) /.test(words)
  )
    return true
  if (/ (?:fired|employer|my boss|my job) /.test(words)) return true
  if (/ (?:in public|home ?grow|home growing) /.test(words) && permission.test(words)) return true
  if (/ how many plants /.test(words) && / (?:may|can|allowed|at home) /.test(words) && !/ hunt /.test(words)) return true
  if (/ grow /.test(words) && / at home /.test(words)) return true
  if (/ (?:can|may) (?:i|we) sell /.test(words) && !isAboutSite.test(words)) return true
  if (
    / (?:what age|how old|old enough|minimum age|under 21|under 18) /.test(words) &&
    / (?:buy|purchase|smoke|possess|dispensary|have to be) /.test(words)
  )
    return !isAboutSite.test(words) && !/ (?:use|join|sign up) /.test(words)
  if (/ (?:license|licence|permit) /.test(words) && / (?:get|need|apply|obtain|cost) /.test(words))
    return !isAboutSite.test(words) && / (?:open|start|cultivation|grow|growing|state|sell|what|which|apply) /.test(words)
  if (/ (?:tax|taxes) /.test(words) && / (?:owe|deduct|deduction|pay) /.test(words)) return true
  return / advertis\w+ /.test(words) && permission.test(words) && !isAboutSite.test(words)
}

const texts: Record<GuideRefusal, string> = {
  emergency:
    'Call for help now. In the United States, call 911, or Poison Control at 1-800-222-1222: free, at any hour, and for children and pets, too. If you’re thinking of hurting yourself, call or text 988. Elsewhere, call your local emergency number.\nThis is not medical advice: I’m a guide to this site and can’t judge it.',
  dose: 'I can’t help with health questions or effects. The label says what’s in a product, and a doctor or pharmacist can tell you more.',
  health: 'I can’t help with health questions or effects. A doctor or pharmacist can.',
  legal: 'I can’t answer legal questions: laws differ from place to place and change often. Ask your local authority or a lawyer.',
}

const numbersToCall: GuideLink[] = [
  { title: 'Call 911', path: 'tel:911' },
  { title: 'Call Poison Control, 1-800-222-1222', path: 'tel:+18002221222' },
  { title: 'Call 988', path: 'tel:988' },
]

export function refusalOf(reason: GuideRefusal, question: string): { answer: string; links: GuideLink[] } {
  if (reason === 'emergency') return { answer: texts.emergency, links: numbersToCall }
  // The rules page and its sources are about advertising only.
  if (reason !== 'legal' || !isAboutAdvertising.test(wordsOf(question))) return { answer: texts[reason], links: [] }
  const links = [{ title: 'Rules, place by place', path: '/rules' }, ...authorityOf(question)]
  return { answer: `${texts.legal} See our page on advertising rules, with sources.`, links }
}

const isAboutAdvertising = / (?:advertis\w*|ads?|promot\w*|marketing|billboards?|giveaways?) /

const stateNames = new Map(allRules.flatMap(({ state, jurisdiction }) => (state ? [[jurisdiction.toLowerCase(), state] as const] : [])))

function authorityOf(question: string): GuideLink[] {
  // Washington, D.C., isn't in Washington state.
  const text = question.toLowerCase().replace(/\bwashington,? d\.? ?c\b/, '')
  const named = [...stateNames].find(([name]) => new RegExp(`\\b${name}\\b`).test(text))?.[1]
  const behind = /\b(?:in|to|from|near|of)\s+([\p{L} .]{2,40}(?:,\s*[\p{L}]{2})?)/iu.exec(question)?.[1]
  const state = named ?? (behind && resolvePlace(behind.trim())?.state)
  const rule = state ? allRules.find((each) => each.state === state && each.url?.startsWith('https://')) : undefined
  return rule?.url ? [{ title: `${rule.jurisdiction}: ${rule.citation}`.slice(0, 120), path: rule.url }] : []
}

export type Source = { title: string; path: string; text: string }

export type Wording = { text: string; used: Source[] }

const maxLetters = 900

/**
 * Validates a language model's reply as untrusted input: it may be wrong, or follow instructions hidden in a source's name. Accepts only
 * plain sentences that cite the given sources, contain only numbers from them or the question, have no address, phone number or markup, and
 * touch no refused topic. Links are built only from the citations. Returns a short reason on failure.
 */
export function checkWording(answer: string, sources: readonly Source[], asked: string): Wording | { fault: string } {
  const text = answer.replace(/\s+/g, ' ').trim()
  if (text === '' || /^none\b/i.test(text)) return { fault: 'no content' }
  if (text.length > maxLetters) return { fault: 'too long' }
  if (/[<>{}`|\\]|\]\s*\(|\p{C}/u.test(text)) return { fault: 'markup' }
  const folded = fold(text).text
  if (/https?:|www\.|\w@\w|\w\.[a-z]{2,}/.test(folded) || findLinks(folded).length > 0) return { fault: 'an address' }
  const cited = [...text.matchAll(/\[([^\]]*)\]/g)].map(([, inside = '']) => inside)
  if (cited.length === 0) return { fault: 'no source' }
  const numbers = cited.flatMap((inside) => inside.split(/\s*,\s*/))
  if (!numbers.every((number) => /^\d{1,2}$/.test(number) && sources[Number(number) - 1])) return { fault: 'an invalid source' }
  const words = text
    .replace(/\s*\[[^\]]*\]/g, '')
    .replace(/\*+/g, '')
    .replace(/\s+([.,;:!?])/g, '$1')
    .trim()
  if (findPhoneNumbers(fold(words).text).length > 0) return { fault: 'a phone number' }
  const known = new Set(numbersIn([asked, ...sources.flatMap(({ title, text: body }) => [title, body])].join(' ')))
  if (numbersIn(words).some((number) => !known.has(number))) return { fault: 'an invented number' }
  if (!isSafeText(words)) return { fault: 'out of scope' }
  const used = [...new Set(numbers)].map((number) => sources[Number(number) - 1] as Source)
  return { text: words, used }
}

const numbersIn = (text: string): string[] => text.match(/\d+(?:[.,]\d+)*/g) ?? []

/** Strips email addresses, links and phone numbers from a question before it leaves the server. */
export const withoutContacts = (question: string): string =>
  question
    .replace(/\S+@\S+/g, '(address)')
    .replace(/(?:https?:\/\/|www\.)\S+/gi, '(address)')
    // A price or a time before a ZIP code isn't a phone number: "under $40 80202".
    .replace(/\+?(?!\d{1,4}(?:\.\d{1,2})?\s+\d{5}(?![\s().-]{0,3}\d))\d(?:[\s().-]{0,3}\d){6,}/g, '(number)')
