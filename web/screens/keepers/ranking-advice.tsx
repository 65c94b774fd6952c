import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { maxCandidates } from '#agronomy/hunt-ranking.ts'
import { assumedInteraction } from '#agronomy/mixed-model.ts'
import { describeGain, type NextMeasurements } from '#agronomy/next-measurement.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { maxTraitRecords } from '#contracts/limits.ts'
import type { Genotype } from '#contracts/plants.ts'
import type { Run } from '#contracts/runs.endpoints.ts'
import type { TraitRecord } from '#contracts/trait-records.ts'
import type { Trait } from '#contracts/traits.ts'
import { isUncounted } from '#web/entities/traits/trait-words.ts'
import { capital, choiceWords, counted, formatList, formatNumber } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import type { LiveRanking, Weights } from './weights-card.tsx'

const AssignRunDialog = lazyDialog(async () => (await import('./assign-run-dialog.tsx')).AssignRunDialog)

type RankingCaveatsProps = {
  hunt: Hunt
  genotypes: readonly Genotype[]
  traits: readonly Trait[]
  records: readonly TraitRecord[]
  live: Pick<LiveRanking, 'ranking' | 'rankable' | 'prepared'>
  weights: Weights
  isComplete: boolean
  runs: readonly Run[]
  traitName: (id: string) => string
}

export function RankingCaveats(props: RankingCaveatsProps) {
  const id = useId()
  const [isAssigning, setAssigning] = useState(false)
  const sentences = caveats(props)
  if (sentences.length === 0) return null
  const { hunt, genotypes, runs, records, live } = props
  const runless = new Set(live.ranking.notComparable.flatMap(({ traitId, runIds }) => (runIds.includes(null) ? [traitId] : [])))
  return (
    <Card asChild>
      <section aria-labelledby={`${id}-title`}>
        <CardBody className="grid gap-2">
          <h3 id={`${id}-title`} className="text-lg">
            Keep in mind
          </h3>
          <ul className="grid list-disc gap-1.5 pl-5 text-sm">
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          {runless.size > 0 && runs.length > 0 && hunt.abilities.write && (
            <Button variant="secondary" size="lg" className="justify-self-start" onClick={() => setAssigning(true)}>
              Assign to a run
            </Button>
          )}
          {isAssigning && (
            <AssignRunDialog
              huntId={hunt.id}
              genotypes={genotypes}
              runs={runs}
              records={records.filter(({ traitId, runId }) => runId === null && runless.has(traitId))}
              onOpenChange={setAssigning}
            />
          )}
        </CardBody>
      </section>
    </Card>
  )
}

type CaveatsOf = Pick<RankingCaveatsProps, 'live' | 'weights' | 'isComplete' | 'runs' | 'traits' | 'records' | 'traitName'>

export function caveats({ live, weights, isComplete, runs, traits, records, traitName }: CaveatsOf): string[] {
  const { ranking, rankable, prepared } = live
  const runName = (runId: string) => runs.find(({ id }) => id === runId)?.name ?? 'a run'
  const sentences: string[] = []
  // Group by runs, because most traits have the same ones.
  const byRuns = new Map<string, string[]>()
  for (const { traitId, runIds } of ranking.notComparable) {
    const named = runIds.filter((runId) => runId !== null)
    if (named.length === 0) continue
    const names = formatList(named.map(runName))
    byRuns.set(names, [...(byRuns.get(names) ?? []), traitName(traitId)])
  }
  const withoutRun = ranking.notComparable.filter(({ runIds }) => runIds.includes(null)).map(({ traitId }) => traitName(traitId))
  if (withoutRun.length > 0) {
    sentences.push(
      `Some ${formatList(withoutRun)} scores aren’t assigned to a run, so room differences can only be estimated. Assign them to one.`,
    )
  }
  for (const [names, traitNames] of byRuns) {
    sentences.push(
      `No pheno or check clone with a score for ${formatList(traitNames)} links ${names} to the other runs, so the difference between rooms is only estimated. Grow the same clone in each.`,
    )
  }
  const oneRoom = prepared.traits.filter(({ id, assumesInteraction }) => assumesInteraction && (weights[id] ?? 0) > 0)
  if (oneRoom.length > 0) {
    const share = `${Math.round(100 * assumedInteraction)}%`
    const what = oneRoom.length > 3 ? `${oneRoom.length} traits` : formatList(oneRoom.map(({ id }) => traitName(id)))
    sentences.push(
      `Every pheno was scored for ${what} in only one room. Some do better in one room than in another. We assume that this accounts for ${share} of the differences between plants.`,
    )
  }
  if (ranking.unmeasuredTraits.length > 0) {
    const names = choiceWords(ranking.unmeasuredTraits.map(traitName))
    const verb = ranking.unmeasuredTraits.length === 1 ? 'it doesn’t' : 'they don’t'
    sentences.push(`No plant has been scored for ${names} yet, so ${verb} affect the ranking.`)
  }
  const recorded = new Set(records.map(({ traitId }) => traitId))
  const uncounted = traits.filter((trait) => isUncounted(trait) && recorded.has(trait.id)).map(({ name }) => name)
  if (uncounted.length > 0) {
    const [verb, them] = uncounted.length === 1 ? ['doesn’t', 'it'] : ['don’t', 'them']
    sentences.push(`${formatList(uncounted)} ${verb} count in the ranking. To include ${them}, set what’s better under Traits.`)
  }
  const { unmeasuredLeftOut, measuredLeftOut } = rankable
  const phenos = (count: number, lack: string) => `${counted(count, 'pheno')} ${lack} ${count === 1 ? 'isn’t' : 'aren’t'} ranked.`
  if (unmeasuredLeftOut > 0)
    sentences.push(`${phenos(unmeasuredLeftOut, 'with no scores')} The ranking is limited to ${maxCandidates} phenos.`)
  if (measuredLeftOut > 0) {
    sentences.push(`${phenos(measuredLeftOut, 'with few scores')} The ranking is limited to ${maxCandidates} phenos. Cull some first.`)
  }
  if (!isComplete) sentences.push(`Only the newest ${formatNumber(maxTraitRecords)} values are counted.`)
  return sentences
}

type NextStepsProps = {
  hunt: Hunt
  next: NextMeasurements
  genotypes: ReadonlyMap<string, Genotype>
  traitName: (id: string) => string
}

/** A clone takes months, so it isn't suggested if the chance of a different winner is smaller than this. */
const worthwhile = 0.01

export function NextSteps({ hunt, next: { measurements, clones }, genotypes, traitName }: NextStepsProps) {
  const [clone] = clones.filter(({ changesLeader }) => changesLeader >= worthwhile)
  const id = useId()
  if (measurements.length === 0 && !clone) return null
  return (
    <Card asChild>
      <section aria-labelledby={`${id}-title`}>
        <CardBody className="grid gap-3">
          <h3 id={`${id}-title`} className="text-lg">
            Measure next
          </h3>
          {measurements.length > 0 && (
            <ol className="grid gap-3">
              {measurements.map((each) => {
                const genotype = genotypes.get(each.genotypeId)
                const plant = genotype?.plants.find(({ id: plantId }) => plantId === each.plantId)
                return (
                  <li key={`${each.plantId} ${each.traitId}`} className="grid gap-0.5">
                    <Link
                      to="/pheno-hunt"
                      search={{ tab: 'tracker', hunt: hunt.id }}
                      className={`${textLink} inline-flex min-h-6 items-center font-medium`}
                    >
                      {traitName(each.traitId)} of {plant?.name ?? genotype?.name}
                    </Link>
                    <span className="text-muted text-sm">
                      {each.measuredPlants === 0 && 'No score yet. '}
                      {capital(describeGain(each))}
                    </span>
                  </li>
                )
              })}
            </ol>
          )}
          {clone && (
            <p className="text-sm">
              <span className="font-medium">With another run: </span>
              one more clone of {genotypes.get(clone.genotypeId)?.name} adds the most information.{' '}
              <span className="text-muted">{capital(describeGain(clone))}</span>
            </p>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

const DecideDialog = lazyDialog(async () => (await import('#web/entities/plants/decide-dialog.tsx')).DecideDialog)

type DecideButtonProps = { hunt: Hunt; genotype: Genotype; variant?: 'primary' | 'secondary' }

export function DecideButton({ hunt, genotype, variant = 'primary' }: DecideButtonProps) {
  const [isOpen, setOpen] = useState(false)
  if (!hunt.abilities.write) return null
  return (
    <>
      <Button size="lg" variant={variant} onClick={() => setOpen(true)}>
        {genotype.standing ? `Change decision on ${genotype.name}` : `Decide on ${genotype.name}`}
      </Button>
      {isOpen && <DecideDialog huntId={hunt.id} genotypes={[genotype]} onOpenChange={setOpen} />}
    </>
  )
}
