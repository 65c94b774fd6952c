import { useId } from 'react'
import { mostCandidates, type RankableHunt } from '../../../agronomy/hunt-ranking.ts'
import type { Ranking } from '../../../agronomy/rank.ts'
import { maxTraitRecords } from '../../../contracts/observations.ts'
import type { Run } from '../../../contracts/runs.ts'
import { formatNumber } from '../../lib/format.ts'
import { listWords } from '../../lib/list-words.ts'
import { Card, CardBody } from '../../ui/card.tsx'

type RankingCaveatsProps = {
  ranking: Ranking
  rankable: RankableHunt
  isComplete: boolean
  runs: readonly Run[]
  traitName: (id: string) => string
}

/** What the ranking does not know. Nothing where there is nothing to say. */
export function RankingCaveats(props: RankingCaveatsProps) {
  const id = useId()
  const sentences = caveats(props)
  if (sentences.length === 0) return null
  return (
    <Card asChild>
      <section aria-labelledby={`${id}-title`}>
        <CardBody className="grid gap-2">
          <h3 id={`${id}-title`} className="text-lg">
            Mind this
          </h3>
          <ul className="grid list-disc gap-1.5 pl-5 text-sm">
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </CardBody>
      </section>
    </Card>
  )
}

export function caveats({ ranking, rankable, isComplete, runs, traitName }: RankingCaveatsProps): string[] {
  const runName = (runId: string | null) =>
    runId === null ? 'records outside of any run' : (runs.find(({ id }) => id === runId)?.name ?? 'a run')
  const sentences: string[] = []
  // One sentence for each set of runs: they are mostly the same for all traits.
  const byRuns = new Map<string, string[]>()
  for (const { traitId, runIds } of ranking.notComparable) {
    const names = listWords(runIds.map(runName))
    byRuns.set(names, [...(byRuns.get(names) ?? []), traitName(traitId)])
  }
  for (const [names, traitNames] of byRuns) {
    sentences.push(
      `${capital(names)} cannot be held against the other runs in ${listWords(traitNames)}: the same check clone does not stand in both. Differences between rooms may look like differences between plants.`,
    )
  }
  if (ranking.unmeasuredTraits.length > 0) {
    sentences.push(`Nobody is scored yet in ${listWords(ranking.unmeasuredTraits.map(traitName))}: it has no part in the ranking.`)
  }
  const { unmeasuredLeftOut, measuredLeftOut } = rankable
  if (unmeasuredLeftOut > 0)
    sentences.push(`${unmeasuredLeftOut} phenotypes without any score are not ranked: there is room for ${mostCandidates}.`)
  if (measuredLeftOut > 0) {
    sentences.push(`${measuredLeftOut} phenotypes with few scores are not ranked: there is room for ${mostCandidates}. Cull some first.`)
  }
  if (!isComplete) sentences.push(`Only the newest ${formatNumber(maxTraitRecords)} values are counted.`)
  return sentences
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
