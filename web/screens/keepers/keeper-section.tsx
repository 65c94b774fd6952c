import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { Standing } from '#agronomy/rank.ts'
import { recordObservations } from '#contracts/calls/observations.ts'
import { recordHarvests, recordLabResults, updateHarvest } from '#contracts/calls/traits.ts'
import type { Hunt } from '#contracts/hunts.ts'
import type { Genotype } from '#contracts/plants.ts'
import type { Run } from '#contracts/runs.endpoints.ts'
import type { TraitRecord } from '#contracts/trait-records.ts'
import type { Trait } from '#contracts/traits.ts'
import { RankingPlot } from '#web/entities/growing-plots/ranking-plot.tsx'
import { useOutbox } from '#web/entities/offline/use-outbox.ts'
import { fullName } from '#web/entities/plants/plant-words.ts'
import { genotypesOptions, runsOptions } from '#web/entities/plants/plants.api.ts'
import { StandingBadge } from '#web/entities/plants/standing-badge.tsx'
import { recordsOptions, traitsOptions } from '#web/entities/traits/traits.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { counted } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Card, CardBody } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { Select } from '#web/ui/select.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { NotInRunning } from './not-in-running.tsx'
import { PlanCard } from './plan-card.tsx'
import { DecideButton, NextSteps, RankingCaveats } from './ranking-advice.tsx'
import { type Scorers, ScorersCard } from './scorers-card.tsx'
import { chanceText, movedSince, sensitivityText, useRanking, verdictText, type Weights, WeightsCard } from './weights-card.tsx'

export function KeeperSection({ hunt }: { hunt: Hunt }) {
  const genotypes = useQuery(genotypesOptions(hunt.id))
  const traits = useQuery(traitsOptions(hunt.id))
  const runs = useQuery(runsOptions(hunt.id))
  const records = useQuery(recordsOptions(hunt.id))
  const queries = [genotypes, traits, runs, records]

  if (genotypes.data && traits.data && runs.data && records.data) {
    if (traits.data.every(({ direction, isArchived }) => direction === 'none' || isArchived)) return <NothingToScore hunt={hunt} />
    return <KeeperChoice hunt={hunt} genotypes={genotypes.data} traits={traits.data} runs={runs.data} records={records.data} />
  }
  const failed = queries.find(({ error }) => error)
  if (failed) {
    return (
      <ErrorState
        level={3}
        title="The ranking couldn’t be loaded"
        description={messageOf(failed.error)}
        onRetry={() => queries.filter(({ error }) => error).forEach((query) => void query.refetch())}
        pending={queries.some(({ isFetching }) => isFetching)}
      />
    )
  }
  return <Loading />
}

const Loading = () => (
  <SkeletonGroup label="Loading the ranking..." className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
    <Skeleton className="h-112 rounded-card" />
    <Skeleton className="h-80 rounded-card" />
  </SkeletonGroup>
)

const NothingToScore = ({ hunt }: { hunt: Hunt }) => (
  <EmptyState
    level={3}
    title="Nothing to rank yet"
    description="A ranking needs traits that define what’s better: more, less or close to a target. Vigor, aroma and flower days are a good start."
  >
    {hunt.abilities.write && (
      <Button asChild>
        <Link to="/pheno-hunt" search={{ tab: 'tracker', hunt: hunt.id }}>
          Choose traits
        </Link>
      </Button>
    )}
  </EmptyState>
)

type KeeperChoiceProps = {
  hunt: Hunt
  genotypes: Genotype[]
  traits: Trait[]
  runs: Run[]
  records: { records: TraitRecord[]; isComplete: boolean } & Scorers
}

const weightsOf = (traits: readonly Trait[]): Weights =>
  Object.fromEntries(
    traits.filter(({ direction, isArchived }) => direction !== 'none' && !isArchived).map(({ id, weight }) => [id, weight]),
  )

/** The ranking uses only what the server has, so pending writes of these calls aren't in it. */
const rankedPaths = new Set<string>([recordObservations.path, recordHarvests.path, updateHarvest.path, recordLabResults.path])

function KeeperChoice({ hunt, genotypes, traits, runs, records }: KeeperChoiceProps) {
  const savedWeights = weightsOf(traits)
  /** Weights that were moved but haven't been saved yet. */
  const [moved, setMoved] = useState<Weights>({})
  const weights = { ...savedWeights, ...moved }
  const live = useRanking({ hunt, genotypes, traits, records: records.records }, useStable(weights))
  const [chosen, setChosen] = useState<string | null>(null)
  const waiting = useOutbox({ subject: hunt.id })
  const isWaiting = waiting.some(({ path }) => rankedPaths.has(path))
  if (!live) return <Loading />
  const { rankable, prepared, ranking, test, next, isBehind } = live

  const genotypeById = new Map(genotypes.map((genotype) => [genotype.id, genotype]))
  const nameOf = (id: string) => {
    const genotype = genotypeById.get(id)
    return genotype ? fullName(genotype) : 'a pheno'
  }
  const traitName = (id: string) => traits.find((trait) => trait.id === id)?.name ?? 'a trait'
  const [leader, ...others] = ranking.standings
  const shown = ranking.standings.find(({ id }) => id === chosen) ?? leader
  const tiedIds = ranking.standings.filter(({ rank }) => rank === 1).map(({ id }) => id)
  const isUnscored = ranking.verdict.kind === 'no-records'
  const hasLeader = ranking.verdict.kind === 'clear' || ranking.verdict.kind === 'too-close'

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5" aria-busy={isBehind}>
        <VerdictCard
          hunt={hunt}
          text={
            isUnscored && isWaiting
              ? 'Your scores haven’t been sent yet.'
              : verdictText(ranking.verdict, leader?.pBest ?? 0, nameOf, others)
          }
          isWaiting={isWaiting}
          leader={hasLeader && leader ? genotypeById.get(leader.id) : undefined}
          isClear={ranking.verdict.kind === 'clear'}
        />
        <RankingPlot
          huntName={hunt.huntName}
          digits={1}
          ranked={ranking.standings.map((standing) => ({
            genotypeId: standing.id,
            rank: standing.rank,
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
        <NotInRunning hunt={hunt} outOfRunning={rankable.outOfRunning} genotypes={genotypeById} traits={traits} records={records.records} />
      </div>
      {/* Sticky on wide screens. On phones, follows the ranking it affects. */}
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] lg:sticky lg:top-20 lg:row-span-2 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto">
        <WeightsCard
          hunt={hunt}
          traits={traits}
          prepared={prepared}
          standings={ranking.standings}
          nameOf={nameOf}
          weights={weights}
          saved={savedWeights}
          onMove={(id, weight) => setMoved({ ...moved, [id]: weight })}
          onSaved={(sent) => setMoved((now) => movedSince(now, sent))}
          onReset={() => setMoved({})}
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
                  Would different weights change the result?
                </h3>
                <ul className="grid gap-1.5">
                  {sensitivityText(test, nameOf, traitName, tiedIds).map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                </ul>
              </CardBody>
            </section>
          </Card>
        )}
        <NextSteps hunt={hunt} next={next} genotypes={genotypeById} traitName={traitName} />
        {hunt.abilities.write && <PlanCard live={live} weights={weights} genotypes={genotypeById} />}
        <ScorersCard traits={traits} prepared={prepared.traits} scorers={records} />
        <RankingCaveats
          hunt={hunt}
          genotypes={genotypes}
          traits={traits}
          records={records.records}
          live={live}
          weights={weights}
          isComplete={records.isComplete}
          runs={runs}
          traitName={traitName}
        />
        <HowItWorks />
      </div>
    </div>
  )
}

/** Returns the same object for equal weights, to avoid recomputation. */
function useStable(weights: Weights): Weights {
  const [stable, setStable] = useState(weights)
  if (JSON.stringify(stable) === JSON.stringify(weights)) return stable
  setStable(weights)
  return weights
}

type GenotypeScoreProps = {
  hunt: Hunt
  standing: Standing
  standings: readonly Standing[]
  genotype: Genotype | undefined
  /** The verdict above has the buttons for the leader. */
  isLeader: boolean
  nameOf: (id: string) => string
  traits: readonly Trait[]
  onChoose: (genotypeId: string) => void
}

function GenotypeScore({ hunt, standing, standings, genotype, isLeader, nameOf, traits, onChoose }: GenotypeScoreProps) {
  const id = useId()
  const traitOf = new Map(traits.map((trait) => [trait.id, trait]))
  const [low, high] = standing.interval80
  return (
    <Card asChild>
      <section aria-labelledby={`${id}-title`}>
        <CardBody className="grid gap-4">
          <div className="flex flex-wrap items-end justify-between gap-3">
            <h3 id={`${id}-title`} className="text-lg">
              Why {nameOf(standing.id)} scores {standing.score.toFixed(1)}
            </h3>
            <Field label="Pheno" className="w-44">
              <Select value={standing.id} onChange={(event) => onChoose(event.target.value)}>
                {standings.map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.rank}. {nameOf(each.id)}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
          <p className="text-muted">
            There’s an 80% chance that the true score is between {low.toFixed(1)} and {high.toFixed(1)}. Chance it’s the best:{' '}
            {chanceText(standing.pBest)}. Chance it’s one of the top three: {chanceText(standing.pTop3)}.
          </p>
          <div className="overflow-x-auto">
            <table className="w-full text-sm tabular-nums">
              <thead className="text-muted">
                <tr className="border-line border-b text-right">
                  <th className="py-2 pr-3 text-left font-medium">Trait</th>
                  <th className="px-3 font-medium max-sm:hidden">Plants</th>
                  <th className="px-3 font-medium max-sm:hidden">Measured</th>
                  <th className="px-2 font-medium sm:px-3">Counted as</th>
                  <th className="px-3 font-medium max-sm:hidden">Weight</th>
                  <th className="pl-2 font-medium sm:pl-3">Points</th>
                </tr>
              </thead>
              <tbody>
                {standing.contributions.map((part) => (
                  <tr key={part.traitId} className="border-line border-b text-right last:border-0">
                    <th scope="row" className="py-2 pr-3 text-left font-medium wrap-anywhere">
                      {traitOf.get(part.traitId)?.name}
                      <span className="block font-normal text-muted sm:hidden">
                        {part.ownMean === null ? 'Not scored' : `Measured ${worth(part.ownMean)}`} · {counted(part.plants, 'plant')} ·{' '}
                        {Math.round(100 * part.share)}%
                      </span>
                    </th>
                    <td className="px-3 max-sm:hidden">{part.plants}</td>
                    <td className="px-3 max-sm:hidden">{part.ownMean === null ? 'not scored' : worth(part.ownMean)}</td>
                    <td className="px-2 sm:px-3">{worth(part.predicted)}</td>
                    <td className="px-3 max-sm:hidden">{Math.round(100 * part.share)}%</td>
                    <td className="pl-2 sm:pl-3">{part.points.toFixed(1)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p className="text-muted text-sm">
            “Measured” is the score of the pheno’s own plants, from 0 to 100. “Counted as” moves that toward the hunt’s mean, because a
            plant may have been lucky.
          </p>
          {genotype && !isLeader && (
            <div className="flex flex-wrap gap-2">
              <DecideButton hunt={hunt} genotype={genotype} variant="secondary" />
              <Link
                to="/pheno-hunt/$id/plants/$number"
                params={{ id: hunt.id, number: String(genotype.number) }}
                className={buttonClass('quiet', 'lg')}
              >
                Open {genotype.name}
              </Link>
            </div>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

const worth = (desirability: number): string => (100 * desirability).toFixed(0)

const steps = [
  'Only phenos that you can still keep are ranked, and harvested ones if you include them. Check clones help compare rooms and are never ranked.',
  'Each score is split into the effects of the room, the scorer, the pheno, the plant itself and how that pheno does in that room.',
  'Clones show how much of a score is due to the pheno. Without them, we use an estimate that you can change.',
  'Measuring one plant twice only makes its value more accurate. It takes another plant of the same pheno to show what’s repeatable.',
  'A pheno that grew in one room may do better or worse in the next. The ranking accounts for that.',
  'A trait that wasn’t scored counts as the hunt’s mean with full uncertainty, never as zero.',
  'The chance of being the best is how often a pheno comes out first in thousands of simulated hunts that fit your scores. We use the same simulated hunts every time, so moving a weight never changes the result by chance.',
  'If the leader’s chance is under 80%, it’s too close to call, and we name the smallest group with a 90% chance of including the best.',
]

const HowItWorks = () => (
  <Card asChild>
    <details className="group">
      <summary className="flex min-h-12 cursor-pointer items-center px-4 font-medium sm:px-5">How we calculate this</summary>
      <ol className="grid list-decimal gap-2 px-4 pb-4 pl-9 text-muted text-sm sm:px-5 sm:pb-5 sm:pl-10">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="px-4 pb-4 text-sm sm:px-5 sm:pb-5">
        <Link to="/help" hash="keepers" className={textLink}>
          How the keeper ranking works, with sources
        </Link>
      </p>
    </details>
  </Card>
)

type VerdictCardProps = { hunt: Hunt; text: string; isWaiting: boolean; leader: Genotype | undefined; isClear: boolean }

const VerdictCard = ({ hunt, text, isWaiting, leader, isClear }: VerdictCardProps) => (
  <Card className={cx(isClear && 'border-l-4 border-l-leaf')}>
    <CardBody className="grid gap-4">
      <p role="status" className="max-w-text font-display text-xl leading-snug">
        {text}
      </p>
      {isWaiting && (
        <p className="text-muted text-sm">Some values are waiting to be sent. The ranking is updated when you’re back online.</p>
      )}
      {leader && (
        <div className="flex flex-wrap items-center gap-2">
          {leader.standing && <StandingBadge standing={leader.standing} />}
          <DecideButton hunt={hunt} genotype={leader} variant={leader.standing ? 'secondary' : 'primary'} />
          <Link
            to="/pheno-hunt/$id/plants/$number"
            params={{ id: hunt.id, number: String(leader.number) }}
            className={buttonClass(leader.standing ? 'quiet' : 'secondary', 'lg')}
          >
            Open {leader.name}
          </Link>
        </div>
      )}
    </CardBody>
  </Card>
)
