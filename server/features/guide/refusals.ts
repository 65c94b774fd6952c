import { allRules } from '../../../compliance/rules.ts'
import type { GuideLink, GuideRefusal } from '../../../contracts/guide.ts'
import { resolvePlace } from '../../kernel/geo/place-search.ts'

/** Word lists miss some: these stand wherever somebody may have needed them. */
const inAnEmergency =
  'If somebody took too much, or a child or a pet ate something: in the United States call 911, or Poison Control at 1-800-222-1222, at any hour.'

const texts: Record<GuideRefusal, string> = {
  emergency:
    'Call for help now. In the United States: 911, or Poison Control at 1-800-222-1222, free and open at any hour, also about children and pets. If you think of hurting yourself, call or text 988. Elsewhere, call your local emergency number.\nThis is not medical advice: I am a guide to this site and cannot judge it.',
  dose: `How much, how often and how strong is nothing I can answer: it differs from person to person. A doctor or a pharmacist can, and the label says what is in a product. ${inAnEmergency}`,
  health: `I say nothing about health, or about what products do to people. A doctor or a pharmacist who knows you can. ${inAnEmergency}`,
  legal:
    'I give no answers about the law: it differs from place to place and changes often. Ask the authority of your place, or a lawyer. What we know of the rules on advertising stands on a page of its own, with its sources.',
}

const numbersToCall: GuideLink[] = [
  { title: 'Call 911', path: 'tel:911' },
  { title: 'Call Poison Control, 1-800-222-1222', path: 'tel:+18002221222' },
  { title: 'Call 988', path: 'tel:988' },
]

/** What is said in the place of an answer, and where to turn. */
export function refusalOf(reason: GuideRefusal, question: string): { answer: string; links: GuideLink[] } {
  if (reason === 'emergency') return { answer: texts.emergency, links: numbersToCall }
  return {
    answer: texts[reason],
    links: reason === 'legal' ? [{ title: 'Rules, place by place', path: '/rules' }, ...authorityOf(question)] : [],
  }
}

const stateNames = new Map(allRules.flatMap(({ state, jurisdiction }) => (state ? [[jurisdiction.toLowerCase(), state] as const] : [])))

/** The source of our table for a state that the question names. */
function authorityOf(question: string): GuideLink[] {
  const text = question.toLowerCase()
  const named = [...stateNames].find(([name]) => new RegExp(`\\b${name}\\b`).test(text))?.[1]
  const behind = /\b(?:in|to|from|near|of)\s+([\p{L} .]{2,40}(?:,\s*[\p{L}]{2})?)/iu.exec(question)?.[1]
  const state = named ?? (behind && resolvePlace(behind.trim())?.state)
  const rule = state ? allRules.find((each) => each.state === state && each.url?.startsWith('https://')) : undefined
  return rule?.url ? [{ title: `${rule.jurisdiction}: ${rule.citation}`.slice(0, 120), path: rule.url }] : []
}
