import { authorities, conditions, dosing, drugs, effects, foreignConditions, foreignRemedies, remedies, replacing } from './lexicon.ts'
import { around, find, type Hit, nearest, phrases, precededBy, type TokenizedText } from './tokens.ts'

const lists = {
  conditions: phrases(conditions, foreignConditions),
  remedies: phrases(remedies, foreignRemedies),
  effects: phrases(effects),
  authorities: phrases(authorities),
  drugs: phrases(drugs),
  replacing: phrases(replacing),
  dosing: phrases(dosing),
}

/** A denial isn't a claim. Negations are close to their verb; words that report or doubt a claim, as in `reports`, may be farther away. */
const denials = new Set(
  "not doesn't don't didn't won't can't cannot isn't aren't wasn't couldn't wouldn't doesnt dont didnt wont cant isnt no nicht nie nunca jamais ne".split(
    ' ',
  ),
)
/** "Heilt keinen Krebs", "ne guérit pas le cancer." */
const foreignNegations = new Set('kein keine keinen keiner nicht pas ningun ninguna aucun aucune'.split(' '))
const reports = new Set('nobody myth myths claim claims claiming claimed saying doubt supposedly rumor'.split(' '))
const questions = new Set(
  'can does do did is are has have will would could should any anyone anybody what which how why who when where somebody someone kann hat wer was welche hilft gibt heilt puede alguien que cual como est qui quel comment'.split(
    ' ',
  ),
)
/** Words that make a claim even after the name of a condition: "migraine gone". */
const wordsAfterCondition = new Set(
  'gone disappeared vanished stopped stops went goes go has help helps helped relief remedy remedies medicine treatment treatments cured healed fixed away better disappears calm calms slow slows clears cleared under need way melts melt melted fades geheilt besiegt gelindert curado gueri'.split(
    ' ',
  ),
)

/**
 * Claims that a product cures, treats, eases or prevents a condition, replaces a medicine, is medically proven or approved, or helps at a
 * certain dose.
 * Excludes feelings ("relaxing"), sick plants, curing in jars, people's questions, and denials.
 */
export function findHealthClaims(reading: TokenizedText, { isBusiness }: { isBusiness: boolean }): Hit[] {
  const remedyHits = find(reading, lists.remedies)
  const conditionHits = [...find(reading, lists.conditions), ...multipleSclerosis(reading)]
    .filter((hit) => !isIdiom(reading, hit))
    .sort((a, b) => a.from - b.from)
  const effectHits = find(reading, lists.effects)
  const claims = [
    ...conditionHits.flatMap((condition) => {
      const remedy = remedyOf(reading, remedyHits, condition)
      return remedy && !isDenied(reading, remedy) && !precededBy(reading, condition, foreignNegations, 2) ? [around(remedy, condition)] : []
    }),
    ...conditionHits.flatMap((condition) => {
      const effect = nearest(reading, effectHits, condition, 12) ?? freedom(reading, condition)
      return effect && !isDenied(reading, effect) && !isDenied(reading, condition) ? [around(effect, condition)] : []
    }),
    ...find(reading, lists.authorities).filter((hit) => !isDenied(reading, hit)),
    ...replacements(reading),
    ...findPromises(reading, conditionHits),
    ...findDoses(reading, conditionHits),
  ]
  return isBusiness ? claims : claims.filter((claim) => !isQuestion(reading, claim))
}

const remedyOf = (reading: TokenizedText, remedyHits: readonly Hit[], condition: Hit): Hit | undefined => {
  const before = nearest(reading, remedyHits, condition, 9, 'before')
  if (before) return before
  const after = nearest(reading, remedyHits, condition, 7, 'after')
  return after && wordsAfterCondition.has(reading.tokens[after.from]?.word as string) ? after : undefined
}

/** "Seizure free." */
const freedom = ({ tokens }: TokenizedText, { to }: Hit): Hit | undefined =>
  tokens[to]?.word === 'free' && tokens[to]?.sentence === tokens[to - 1]?.sentence ? { from: to, to: to + 1 } : undefined

const isDenied = (reading: TokenizedText, hit: Hit): boolean =>
  precededBy(reading, hit, denials, 3) || precededBy(reading, hit, reports, 8) || isUnproven(reading, hit)

/** "There is no proof that it helps." */
const isUnproven = ({ tokens }: TokenizedText, { from }: Hit): boolean =>
  tokens
    .slice(Math.max(0, from - 8), from)
    .some(
      ({ word, sentence }, i, before) =>
        /^(proof|evidence|study|studies)$/.test(word) && sentence === tokens[from]?.sentence && before[i - 1]?.word === 'no',
    )

const isQuestion = ({ tokens, asks }: TokenizedText, { from }: Hit): boolean => {
  const sentence = tokens[from]?.sentence as number
  if (!asks[sentence]) return false
  let first = from
  while (first > 0 && tokens[first - 1]?.sentence === sentence) first--
  return questions.has(tokens[first]?.word as string)
}

/** "Parking is a pain", "no pain no gain", "pain in the neck." */
function isIdiom({ tokens }: TokenizedText, { from, to }: Hit): boolean {
  if (to - from > 1 || !/^(pain|pains|headache)$/.test(tokens[from]?.word as string)) return false
  return tokens[from - 1]?.word === 'a' || (tokens[to]?.word === 'in' && tokens[to + 1]?.word === 'the') || tokens[to]?.word === 'no'
}

/** "MS" next to a word such as "treats" or "symptoms"; otherwise it may mean milliseconds or be a name. */
const multipleSclerosis = (reading: TokenizedText): Hit[] =>
  reading.tokens.flatMap(({ word }, from) =>
    word === 'ms' &&
    (/^(and|or|with|for|treats|cures|my|have|has|wife's|mom's|lupus)$/.test(reading.tokens[from - 1]?.word ?? '') ||
      /^(symptoms|symptom|patients|flare|flares|pain)$/.test(reading.tokens[from + 1]?.word ?? ''))
      ? [{ from, to: from + 1 }]
      : [],
  )

function replacements(reading: TokenizedText): Hit[] {
  const drugHits = find(reading, lists.drugs)
  return find(reading, lists.replacing).flatMap((replaced) => {
    const drug = nearest(reading, drugHits, replaced, 3, 'after')
    return drug ? [around(replaced, drug)] : []
  })
}

/** "Take 25 mg twice a day for your arthritis." */
function findDoses(reading: TokenizedText, conditionHits: readonly Hit[]): Hit[] {
  const { tokens } = reading
  const doseHits = find(reading, lists.dosing)
  return tokens.flatMap(({ word }, from) => {
    const isAmount = /^(mg|mgs|milligrams|drops|capsule|capsules|gummies|dose|dosage)$/.test(word)
    if (!isAmount) return []
    const amount = { from, to: from + 1 }
    const condition = nearest(reading, conditionHits, amount, 14)
    const verb = nearest(reading, doseHits, amount, 8)
    return condition && (verb || /^(dose|dosage)$/.test(word)) ? [around(amount, condition)] : []
  })
}

const sufferingWords = new Set(
  'suffering suffer suffers struggling struggle tired dealing living battling got have need fighting diagnosed sick'.split(' '),
)
const promise = phrases('help|helps|relief|try|answer|got you|solution|remedy|cure|treats|works|work|made for you|for you')

/** "Suffering from insomnia? Our drops will help." */
function findPromises(reading: TokenizedText, conditionHits: readonly Hit[]): Hit[] {
  const promises = find(reading, promise)
  return conditionHits.flatMap((condition) => {
    const sentence = reading.tokens[condition.from]?.sentence as number
    if (!reading.asks[sentence] || !(precededBy(reading, condition, sufferingWords, 5) || condition.from === 0)) return []
    const fulfilled = promises.find((hit) => reading.tokens[hit.from]?.sentence === sentence + 1 && hit.from - condition.to < 16)
    return fulfilled && !isDenied(reading, fulfilled) ? [around(condition, fulfilled)] : []
  })
}
