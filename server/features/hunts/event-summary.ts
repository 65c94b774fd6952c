import type { HuntEvent, HuntEventKind } from '../../../contracts/hunt-activity.ts'

type Happening = {
  kind: HuntEventKind
  /** Of the genotype; null where it is about the hunt, or where the genotype is gone. */
  number: number | null
  /** Of the plant in its genotype: 0 is the seed's own. */
  copy: number | null
  detail: HuntEvent['detail']
}

const decisions: Record<string, string> = { keep: 'Keep', retest: 'Retest', cull: 'Cull', breed: 'Breed with' }
const ends: Record<string, string> = { culled: 'culled', harvested: 'harvested', died: 'died', given_away: 'given away' }

/** What happened, in one line, without who and when: "Clone 2 of #7 rooted". */
export function summaryOf({ kind, number, copy, detail }: Happening): string {
  const genotype = number === null ? 'a plant' : `#${number}`
  const plant = copy === null || copy === 0 ? genotype : `clone ${copy} of ${genotype}`
  const { count: stated, how, sex, kind: decided, dryGrams, heightCm, rating } = detail
  const word = (value: unknown): string => (typeof value === 'string' ? value : '')
  const count = typeof stated === 'number' ? stated : 1
  const about = number === null ? 'the hunt' : plant
  const sentences: Record<HuntEventKind, () => string> = {
    'hunt.created': () => 'hunt started',
    'hunt.completed': () => 'hunt completed',
    'hunt.reopened': () => 'hunt reopened',
    'seeds.added': () => `${counted(count, 'seed')} numbered`,
    'plant.cut': () => `${plant} cut`,
    'plant.rooted': () => `${plant} rooted`,
    'plant.placed': () => (number === null ? 'plants placed in a run' : `${plant} placed in a run`),
    'plant.changed': () => `${plant} changed`,
    'plant.ended': () => `${plant} ${ends[word(how)] ?? 'ended'}`,
    'plant.revived': () => `${plant} is alive again`,
    'genotype.sexed': () => `${genotype} is ${word(sex) || 'sexed'}`,
    'log.written': () =>
      withFacts(`log of ${about}`, [typeof heightCm === 'number' && `${heightCm} cm`, typeof rating === 'number' && `rated ${rating}`]),
    'log.changed': () => `log of ${about} changed`,
    'log.deleted': () => `log of ${about} deleted`,
    'observation.made': () => `${about} scored`,
    'observation.corrected': () => `score of ${about} corrected`,
    'harvest.recorded': () => withFacts(`harvest of ${about} recorded`, [typeof dryGrams === 'number' && `${dryGrams} g dry`]),
    'harvest.changed': () => `harvest of ${about} changed`,
    'lab.recorded': () => `lab result of ${about} recorded`,
    'decision.made': () => `${decisions[word(decided)] ?? 'decision on'} ${genotype}`,
    'decision.undone': () => `decision on ${genotype} undone`,
    'panel.opened': () => 'blind panel opened',
    'panel.closed': () => 'blind panel closed',
  }
  const sentence = sentences[kind]()
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/** What is known of it, after a colon. */
const withFacts = (sentence: string, facts: readonly (string | false)[]): string => {
  const known = facts.filter(Boolean)
  return known.length === 0 ? sentence : `${sentence}: ${known.join(', ')}`
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
