import { useState } from 'react'
import type { Hunt } from '../../../contracts/hunts.ts'
import type { TraitRecord } from '../../../contracts/observations.ts'
import type { Genotype } from '../../../contracts/plants.ts'
import type { Run } from '../../../contracts/runs.ts'
import type { Trait } from '../../../contracts/traits.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { RankingPlot } from '../growing-plots/ranking-plot.tsx'
import { fullName } from '../plants/plant-words.ts'
import { GenotypeScore } from './genotype-score.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { NextSteps } from './next-steps.tsx'
import { RankingCaveats } from './ranking-caveats.tsx'
import { sensitivityText, verdictText } from './ranking-words.ts'
import { useRanking, type Weights } from './use-ranking.ts'
import { VerdictCard } from './verdict-card.tsx'
import { WeightsCard } from './weights-card.tsx'

type KeeperChoiceProps = {
  hunt: Hunt
  genotypes: Genotype[]
  traits: Trait[]
  runs: Run[]
  records: { records: TraitRecord[]; isComplete: boolean }
}

const weightsOf = (traits: readonly Trait[]): Weights =>
  Object.fromEntries(
    traits.filter(({ direction, isArchived }) => direction !== 'none' && !isArchived).map(({ id, weight }) => [id, weight]),
  )

export function KeeperChoice({ hunt, genotypes, traits, runs, records }: KeeperChoiceProps) {
  const kept = weightsOf(traits)
  /** What was moved and not kept yet. */
  const [moved, setMoved] = useState<Weights>({})
  const weights = { ...kept, ...moved }
  const { rankable, prepared, ranking, test, next, isBehind } = useRanking(
    { genotypes, traits, runs, records: records.records },
    useStable(weights),
  )
  const [chosen, setChosen] = useState<string | null>(null)

  const genotypeById = new Map(genotypes.map((genotype) => [genotype.id, genotype]))
  const nameOf = (id: string) => {
    const genotype = genotypeById.get(id)
    return genotype ? fullName(genotype) : 'a phenotype'
  }
  const traitName = (id: string) => traits.find((trait) => trait.id === id)?.name ?? 'a trait'
  const [leader] = ranking.standings
  const shown = ranking.standings.find(({ id }) => id === chosen) ?? leader
  const hasLeader = ranking.verdict.kind === 'clear' || ranking.verdict.kind === 'too-close'

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5" aria-busy={isBehind}>
        <VerdictCard
          hunt={hunt}
          text={verdictText(ranking.verdict, leader?.pBest ?? 0, nameOf)}
          leader={hasLeader && leader ? genotypeById.get(leader.id) : undefined}
          isClear={ranking.verdict.kind === 'clear'}
        />
        <RankingPlot
          huntName={hunt.huntName}
          digits={1}
          ranked={ranking.standings.map((standing) => ({
            genotypeId: standing.id,
            name: nameOf(standing.id),
            score: standing.score,
            low: standing.interval80[0],
            high: standing.interval80[1],
            best: standing.pBest,
            topThree: standing.pTop3,
            isKeeper: ['keep', 'breed'].includes(genotypeById.get(standing.id)?.standing ?? ''),
          }))}
          onChoose={setChosen}
        />
      </div>
      {/* Stays in view while one reads on; on a phone it follows the ranking that it moves. */}
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] lg:sticky lg:top-20 lg:row-span-2 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto">
        <WeightsCard
          hunt={hunt}
          traits={traits}
          prepared={prepared}
          weights={weights}
          kept={kept}
          onMove={(id, weight) => setMoved({ ...moved, [id]: weight })}
          onSettled={() => setMoved({})}
        />
      </div>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5">
        {shown && (
          <GenotypeScore
            hunt={hunt}
            standing={shown}
            standings={ranking.standings}
            genotype={genotypeById.get(shown.id)}
            isLeader={hasLeader && shown === leader}
            nameOf={nameOf}
            traits={traits}
            onChoose={setChosen}
          />
        )}
        {test && (
          <Card asChild>
            <section aria-labelledby="keeper-sensitivity">
              <CardBody className="grid gap-2">
                <h3 id="keeper-sensitivity" className="text-lg">
                  Would other weights change it?
                </h3>
                <ul className="grid gap-1.5">
                  {sensitivityText(test, nameOf, traitName).map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                </ul>
              </CardBody>
            </section>
          </Card>
        )}
        <NextSteps hunt={hunt} next={next} genotypes={genotypeById} traitName={traitName} />
        <RankingCaveats ranking={ranking} rankable={rankable} isComplete={records.isComplete} runs={runs} traitName={traitName} />
        <HowItWorks />
      </div>
    </div>
  )
}

/** The same object as long as it says the same, so that what follows from it is not computed again. */
function useStable(weights: Weights): Weights {
  const [stable, setStable] = useState(weights)
  if (JSON.stringify(stable) === JSON.stringify(weights)) return stable
  setStable(weights)
  return weights
}
