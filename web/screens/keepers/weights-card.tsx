import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useDeferredValue, useEffect, useId, useMemo, useState } from 'react'
import { type RankableHunt, rankableHunt } from '#agronomy/hunt-ranking.ts'
import { type NextMeasurements, nextMeasurements } from '#agronomy/next-measurement.ts'
import { type PreparedRanking, prepareRanking } from '#agronomy/prepare-ranking.ts'
import { type Ranking, rankKeepers, testWeights, type Verdict } from '#agronomy/rank.ts'
import { setWeights } from '#contracts/calls/traits.ts'
import { growthStages } from '#contracts/choices.ts'
import type { Hunt } from '#contracts/hunts.ts'
import type { Genotype } from '#contracts/plants.ts'
import type { TraitRecord } from '#contracts/trait-records.ts'
import type { Trait } from '#contracts/traits.ts'
import { cacheTraits } from '#web/entities/traits/traits.api.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { choiceWords, formatList } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { toast } from '#web/ui/toast-store.ts'

type WeightsCardProps = {
  hunt: Hunt
  traits: readonly Trait[]
  prepared: PreparedRanking
  standings: Ranking['standings']
  nameOf: Names
  weights: Weights
  saved: Weights
  onMove: (traitId: string, weight: number) => void
  onSaved: (sent: Weights) => void
  onReset: () => void
}

/** Saving weights requires write access to the hunt. */
export function WeightsCard({ hunt, traits, prepared, standings, nameOf, weights, saved, onMove, onSaved, onReset }: WeightsCardProps) {
  const client = useQueryClient()
  const id = useId()
  const measured = new Set(prepared.traits.flatMap(({ id: traitId, isMeasured }) => (isMeasured ? [traitId] : [])))
  const sum = Object.entries(weights).reduce((total, [traitId, weight]) => (measured.has(traitId) ? total + weight : total), 0)
  const { max, step } = scaleOf(saved)
  const changed = Object.keys(weights).filter((traitId) => weights[traitId] !== saved[traitId])
  const saving = useMutation({
    mutationFn: (sent: Weights) =>
      call(setWeights, {
        params: { id: hunt.id },
        body: { weights: Object.entries(sent).map(([traitId, weight]) => ({ traitId, weight })) },
      }),
    onSuccess: (traits, sent) => {
      cacheTraits(client, hunt.id, traits)
      onSaved(sent)
      toast({ title: 'Weights saved' })
    },
    onError: (error) => toast({ title: 'The weights couldn’t be saved', description: messageOf(error), variant: 'destructive' }),
  })

  const save = () => saving.mutate(Object.fromEntries(changed.map((traitId) => [traitId, weights[traitId] ?? 0])))

  return (
    <Card asChild>
      <section aria-labelledby={`${id}-title`}>
        <CardBody className="grid gap-4">
          <div>
            <h3 id={`${id}-title`} className="text-lg">
              What counts
            </h3>
            <p className="mt-1 text-muted text-sm">Move a weight to update the ranking. Set it to 0 to leave the trait out.</p>
          </div>
          <TopThree standings={standings} nameOf={nameOf} />
          <ul className="grid gap-3">
            {prepared.traits
              .map((prepared) => ({ prepared, trait: traits.find((trait) => trait.id === prepared.id) }))
              .sort((a, b) => (a.trait?.position ?? 0) - (b.trait?.position ?? 0))
              .map(({ prepared: { id: traitId, isMeasured, repeatability, source, replicatedGenotypes }, trait }) => {
                const weight = weights[traitId] ?? 0
                // As in the ranking, unmeasured traits don't have a share.
                const share = isMeasured && sum > 0 ? `${Math.round((100 * weight) / sum)}%` : '–'
                const inputId = `${id}-${traitId}`
                return (
                  <li key={traitId} className="grid gap-0.5">
                    <label htmlFor={inputId} className="flex items-baseline justify-between gap-3">
                      <span className="min-w-0 font-medium wrap-anywhere">{trait?.name}</span>
                      <span aria-hidden="true" className="shrink-0 text-sm tabular-nums">
                        {share}
                      </span>
                    </label>
                    <Slider
                      id={inputId}
                      min={0}
                      max={max}
                      step={step}
                      value={weight}
                      aria-valuetext={isMeasured ? `Weight ${weight}, ${share} of the score` : `Weight ${weight}`}
                      aria-describedby={`${inputId}-about`}
                      onChange={(value) => onMove(traitId, value)}
                    />
                    <p id={`${inputId}-about`} className="text-muted text-sm">
                      {repeatabilityText({ isMeasured, repeatability, source, replicatedGenotypes })}
                    </p>
                  </li>
                )
              })}
          </ul>
          {changed.length > 0 && (
            <div className="sticky bottom-0 -mx-4 -mb-4 flex flex-wrap gap-2 border-line border-t bg-surface p-4 sm:-mx-5 sm:-mb-5 sm:px-5">
              {hunt.abilities.write && (
                <Button className="min-h-12" pending={saving.isPending} onClick={save}>
                  Save weights
                </Button>
              )}
              <Button className="min-h-12" variant="secondary" onClick={onReset}>
                Reset
              </Button>
            </div>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

/** For narrow screens, where the top of the ranking remains in view while weights move. */
const TopThree = ({ standings, nameOf }: { standings: Ranking['standings']; nameOf: Names }) => (
  <table
    aria-label="First three"
    className="sticky top-16 z-1 -mx-4 block w-[calc(100%+2rem)] border-line border-y bg-surface px-4 py-2 tabular-nums sm:-mx-5 sm:w-[calc(100%+2.5rem)] sm:px-5 lg:hidden"
  >
    <thead className="sr-only">
      <tr>
        <th>Rank</th>
        <th>Pheno</th>
        <th>Score</th>
        <th>Chance it’s the best</th>
      </tr>
    </thead>
    <tbody className="grid">
      {standings.slice(0, 3).map(({ id, rank, score, pBest }) => (
        <tr key={id} className="grid grid-cols-[1.5rem_minmax(0,1fr)_3.5rem_4.5rem] items-baseline py-0.5">
          <td className="text-muted text-sm">{rank}</td>
          <td className="truncate font-semibold">{nameOf(id)}</td>
          <td className="text-right">{score.toFixed(1)}</td>
          <td className="text-right text-muted text-sm">{chanceText(pBest)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const scaleOf = (saved: Weights) => (Object.values(saved).every((weight) => weight <= 10) ? { max: 10, step: 0.5 } : { max: 100, step: 1 })

type Repeatability = Pick<PreparedRanking['traits'][number], 'isMeasured' | 'repeatability' | 'source' | 'replicatedGenotypes'>

export function repeatabilityText({ isMeasured, repeatability, source, replicatedGenotypes }: Repeatability): string {
  if (!isMeasured) return 'Not scored yet'
  const share = `${Math.round(repeatability * 100)}%`
  return source === 'estimated'
    ? `${share} repeatable from clone to clone (${replicatedGenotypes} plants had clones)`
    : `${share} repeatable, assumed: too few clones to tell`
}

type SliderProps = Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange'> & { value: number; onChange: (value: number) => void }

/** A native range input, for standard keyboard and touch behavior. */
function Slider({ value, onChange, className, ...props }: SliderProps) {
  return (
    <input
      {...props}
      type="range"
      value={value}
      onChange={(event) => onChange(event.target.valueAsNumber)}
      className={cx(
        'block h-9 w-full min-w-0 cursor-pointer rounded-tag accent-leaf focus-visible:outline-2 focus-visible:outline-focus focus-visible:outline-offset-2 disabled:cursor-default disabled:opacity-60 pointer-coarse:h-12',
        className,
      )}
    />
  )
}

export type Weights = Record<string, number>

/** Weights that were moved after `sent` was sent. */
export const movedSince = (moved: Weights, sent: Weights): Weights =>
  Object.fromEntries(Object.entries(moved).filter(([traitId, weight]) => sent[traitId] !== weight))

type WeightTest = NonNullable<ReturnType<typeof testWeights>>

type HuntData = {
  hunt: Pick<Hunt, 'selectsMales' | 'ranksHarvested'>
  genotypes: readonly Genotype[]
  traits: readonly Trait[]
  records: readonly TraitRecord[]
}

export type LiveRanking = {
  rankable: RankableHunt
  prepared: PreparedRanking
  ranking: Ranking
  /** The effects of changing weights by up to 20%. Null if nothing is ranked. */
  test: WeightTest | null
  next: NextMeasurements
  /** True while computing a new result for changed weights or a changed hunt. */
  isBehind: boolean
}

/**
 * Ranks like `GET /api/pheno-hunts/:id/ranking`, with the same records and functions, but uses weights being edited. The parts that don't
 * depend on weights are computed once, by a worker. Null until then.
 */
export function useRanking(
  { hunt: { selectsMales, ranksHarvested }, genotypes, traits, records }: HuntData,
  moved: Weights,
): LiveRanking | null {
  const rankable = useMemo(
    () =>
      rankableHunt({
        selectsMales,
        ranksHarvested,
        stages: growthStages,
        genotypes: genotypes.map(({ plants, ...genotype }) => ({
          ...genotype,
          plants: plants.map(({ id, endedOn, endedHow, stage }) => ({ id, isAlive: endedOn === null, endedHow, stage })),
        })),
        traits,
        records,
      }),
    [selectsMales, ranksHarvested, genotypes, traits, records],
  )
  const done = usePrepared(rankable)
  // Deferred, so the slider responds immediately.
  const weights = useDeferredValue(moved)
  const results = useMemo(
    () =>
      done && {
        ranking: rankKeepers(done.prepared, weights),
        test: testWeights(done.prepared, weights),
        next: nextMeasurements(done.prepared, weights),
      },
    [done, weights],
  )
  return done && results && { ...done, ...results, isBehind: weights !== moved || done.rankable !== rankable }
}

type Prepared = { rankable: RankableHunt; prepared: PreparedRanking }

function usePrepared(rankable: RankableHunt): Prepared | null {
  const [done, setDone] = useState<Prepared | null>(null)
  useEffect(() => {
    let isCurrent = true
    const show = (prepared: PreparedRanking) => {
      if (isCurrent) setDone({ rankable, prepared })
    }
    const worker = new Worker(new URL('./ranking-worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<PreparedRanking>) => show(data)
    // Without a network, the worker may not have loaded.
    worker.onerror = () => show(prepareRanking(rankable.input))
    worker.postMessage(rankable.input)
    return () => {
      isCurrent = false
      worker.terminate()
    }
  }, [rankable])
  return done
}

/** "41%" or "under 1%": an estimated chance is never exactly 0 or 1. */
export function chanceText(chance: number): string {
  if (chance < 0.01) return 'under 1%'
  if (chance > 0.99) return 'over 99%'
  return `${Math.round(chance * 100)}%`
}

type Names = (genotypeId: string) => string

/** Names up to five; "#7 and 5 others" if there are more. */
const fewOf = ([first = '', ...others]: readonly string[]): string =>
  others.length > 4 ? `${first} and ${others.length} others` : formatList([first, ...others])

/**
 * `others` are the phenos other than the leader. One of them may have a higher chance, because a pheno with few scores may turn out much
 * better, or much worse.
 */
export function verdictText(
  verdict: Verdict,
  chanceOfLeader: number,
  nameOf: Names,
  others: readonly Pick<Ranking['standings'][number], 'id' | 'rank' | 'pBest'>[] = [],
): string {
  switch (verdict.kind) {
    case 'no-candidates':
      return 'No phenos are in the running, because none can be kept right now.'
    case 'no-weights':
      return 'No trait has a weight yet. Give at least one a weight.'
    case 'no-records':
      return 'The traits that count haven’t been scored yet.'
    case 'clear':
      return `Keep ${nameOf(verdict.leaderId)}: ${chanceText(chanceOfLeader)} chance it’s the best.`
    case 'too-close': {
      const leader = nameOf(verdict.leaderId)
      const chance = chanceText(chanceOfLeader)
      const keep = `Keep ${fewOf([leader, ...verdict.withinReach.map(nameOf)])} for now: 90% chance the best is among them.`
      const [rival] = others.toSorted((a, b) => b.pBest - a.pBest)
      const isEven = ({ pBest }: { pBest: number }) => chanceText(pBest) === chance
      const tied = others.filter((other) => other.rank === 1 || (rival && isEven(rival) && isEven(other)))
      if (tied.length > 0) {
        const names = fewOf([leader, ...tied.map(({ id }) => nameOf(id))])
        const how = tied.every(isEven) ? `, each with a ${chance} chance of being the best` : ' for the lead'
        return `Too close to call. ${names} are tied${how}. ${keep}`
      }
      const more =
        rival && rival.pBest > chanceOfLeader
          ? ` ${nameOf(rival.id)} has a higher chance, ${chanceText(rival.pBest)}, because less is known about it.`
          : ''
      return `Too close to call. ${leader} leads with a ${chance} chance of being the best.${more} ${keep}`
    }
  }
}

/** @param tiedIds phenos with the winner's score */
export function sensitivityText(
  test: WeightTest,
  nameOf: Names,
  traitName: (id: string) => string,
  tiedIds: readonly string[] = [],
): string[] {
  const winner = nameOf(test.winnerId)
  const changing = test.changes.filter(({ changesWinner }) => changesWinner)
  if (changing.length > 0) {
    return changing.map(
      ({ traitId, factor, winnerId }) =>
        `If ${traitName(traitId)} counted ${Math.round(Math.abs(factor - 1) * 100)}% ${factor > 1 ? 'more' : 'less'}, ${nameOf(winnerId)} would lead.`,
    )
  }
  const tied = tiedIds.filter((id) => id !== test.winnerId).map(nameOf)
  if (test.overtakers.length === 0 && tied.length > 0) {
    return [`No other pheno would lead if weights moved by 20%. ${fewOf([winner, ...tied])} have the same score.`]
  }
  if (test.overtakers.length === 0) return [`${winner} leads even if any weights move by 20%.`]
  const rivals = test.overtakers.slice(0, 3).map(({ id }) => nameOf(id))
  return [
    `Moving any single weight by 20% doesn’t change the leader, ${winner}. If several weights move together, ${choiceWords(rivals)} could lead.`,
  ]
}
