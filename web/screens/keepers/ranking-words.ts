import type { Verdict } from '#agronomy/rank.ts'
import { choiceWords, listWords } from '#web/lib/format.ts'
import type { WeightTest } from './use-ranking.ts'

/** "41%", "under 1%": an estimated chance is never exactly 0 or 1. */
export function chanceText(chance: number): string {
  if (chance < 0.01) return 'under 1%'
  if (chance > 0.99) return 'over 99%'
  return `${Math.round(chance * 100)}%`
}

type Names = (genotypeId: string) => string

export function verdictText(verdict: Verdict, chanceOfLeader: number, nameOf: Names): string {
  switch (verdict.kind) {
    case 'no-candidates':
      return 'Nothing left to rank: every pheno has been culled.'
    case 'no-weights':
      return 'No trait counts yet. Give at least one a weight.'
    case 'no-records':
      return 'The traits that count haven’t been scored yet.'
    case 'clear':
      return `Keep ${nameOf(verdict.leaderId)}: ${chanceText(chanceOfLeader)} chance it’s the best.`
    case 'too-close': {
      const leader = nameOf(verdict.leaderId)
      const others = verdict.withinReach.map(nameOf)
      const few = others.length > 4 ? `${leader} and ${others.length} others` : listWords([leader, ...others])
      return `Too close to call. ${leader} leads with a ${chanceText(chanceOfLeader)} chance of being the best. Keep ${few} for now: 90% chance the best is among them.`
    }
  }
}

export function sensitivityText(test: WeightTest, nameOf: Names, traitName: (id: string) => string): string[] {
  const winner = nameOf(test.winnerId)
  const changing = test.changes.filter(({ changesWinner }) => changesWinner)
  if (changing.length > 0) {
    return changing.map(
      ({ traitId, factor, winnerId }) =>
        `If ${traitName(traitId)} counted ${Math.round(Math.abs(factor - 1) * 100)}% ${factor > 1 ? 'more' : 'less'}, ${nameOf(winnerId)} would lead.`,
    )
  }
  if (test.overtakers.length === 0) return [`${winner} leads even if any weights move by 20%.`]
  const rivals = test.overtakers.slice(0, 3).map(({ id }) => nameOf(id))
  return [
    `No single weight changes the leader, ${winner}, if moved by 20%. If several weights shift together, ${choiceWords(rivals)} could lead.`,
  ]
}
