import type { Verdict } from '../../../agronomy/rank.ts'
import { listWords } from '../../lib/list-words.ts'
import type { WeightTest } from './use-ranking.ts'

/** "41%", "under 1%": a chance that is drawn is never quite none and never quite sure. */
export function chanceText(chance: number): string {
  if (chance < 0.01) return 'under 1%'
  if (chance > 0.99) return 'over 99%'
  return `${Math.round(chance * 100)}%`
}

type Names = (genotypeId: string) => string

/** What the ranking says, in a sentence or two. */
export function verdictText(verdict: Verdict, chanceOfLeader: number, nameOf: Names): string {
  switch (verdict.kind) {
    case 'no-candidates':
      return 'Nothing is left to rank: every phenotype is culled.'
    case 'no-weights':
      return 'No trait counts yet. Give at least one a weight.'
    case 'no-records':
      return 'Nothing is scored yet of the traits that count.'
    case 'clear':
      return `${nameOf(verdict.leaderId)} is the one to keep, with a chance of ${chanceText(chanceOfLeader)} to be the best.`
    case 'too-close': {
      const leader = nameOf(verdict.leaderId)
      const others = verdict.withinReach.map(nameOf)
      const few = others.length > 4 ? `${others.length} others are` : `${listWords(others)} ${others.length === 1 ? 'is' : 'are'}`
      return `Too close to call. ${leader} leads with a chance of ${chanceText(chanceOfLeader)} to be the best; ${few} within reach.`
    }
  }
}

/** Whether the winner hangs on a weight. */
export function sensitivityText(test: WeightTest, nameOf: Names, traitName: (id: string) => string): string[] {
  const winner = nameOf(test.winnerId)
  const changing = test.changes.filter(({ changesWinner }) => changesWinner)
  if (changing.length > 0) {
    return changing.map(
      ({ traitId, factor, winnerId }) =>
        `If ${traitName(traitId)} counted ${Math.round(Math.abs(factor - 1) * 100)}% ${factor > 1 ? 'more' : 'less'}, ${nameOf(winnerId)} would lead.`,
    )
  }
  if (test.overtakers.length === 0) return [`${winner} leads whichever way the weights move by 20%.`]
  const rivals = test.overtakers.slice(0, 3).map(({ id }) => nameOf(id))
  return [
    `No single weight, moved by 20%, puts another in front of ${winner}. All moved at once could: ${listWords(rivals)} would then lead.`,
  ]
}
