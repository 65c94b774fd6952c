import { useDeferredValue, useId, useMemo, useState } from 'react'
import { planRun } from '#agronomy/plan-run.ts'
import type { Genotype } from '#contracts/plants.ts'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import type { LiveRanking, Weights } from './weights-card.tsx'

type PlanCardProps = {
  live: Pick<LiveRanking, 'prepared' | 'ranking'>
  weights: Weights
  genotypes: ReadonlyMap<string, Genotype>
}

const maxPlaces = 60

const whole = (text: string, max: number): number | null => (/^\d{1,3}$/.test(text.trim()) && Number(text) <= max ? Number(text) : null)

/** Shows how many clones of each pheno to grow in the next run. Renders nothing unless several phenos may be the best. */
export function PlanCard({ live: { prepared, ranking }, weights: moved, genotypes }: PlanCardProps) {
  const id = useId()
  // Deferred, so the sliders respond immediately.
  const weights = useDeferredValue(moved)
  const [places, setPlaces] = useState('12')
  const [checks, setChecks] = useState(
    [...genotypes.values()].some(({ kind, livingCopies }) => kind === 'check' && livingCopies > 0) ? '2' : '0',
  )
  const { verdict } = ranking
  const contenderIds = useMemo(() => ('leaderId' in verdict ? [verdict.leaderId, ...verdict.withinReach] : []), [verdict])
  const count = whole(places, maxPlaces)
  const checkCount = whole(checks, maxPlaces)
  const plan = useMemo(
    () => (count === null || checkCount === null ? null : planRun(prepared, weights, { places: count, checks: checkCount, contenderIds })),
    [prepared, weights, count, checkCount, contenderIds],
  )
  if (contenderIds.length < 2) return null
  const nameOf = (genotypeId: string | undefined) => genotypes.get(genotypeId ?? '')?.name ?? 'Check'
  const error = (value: number | null) => (value === null ? `Enter a whole number up to ${maxPlaces}` : undefined)
  return (
    <Card asChild>
      <section aria-labelledby={`${id}-title`}>
        <CardBody className="grid gap-3">
          <h3 id={`${id}-title`} className="text-lg">
            Plan the next run
          </h3>
          <div className="grid grid-cols-2 gap-4 sm:max-w-sm">
            <Field label="Places" error={error(count)}>
              <Input inputMode="numeric" value={places} onChange={(event) => setPlaces(event.target.value)} className="min-h-12" />
            </Field>
            <Field label="For check clones" error={error(checkCount)}>
              <Input inputMode="numeric" value={checks} onChange={(event) => setChecks(event.target.value)} className="min-h-12" />
            </Field>
          </div>
          {plan ? (
            <>
              <ul className="flex flex-wrap gap-x-5 gap-y-1.5 tabular-nums">
                {plan.clones.map(({ genotypeId, count }) => (
                  <li key={genotypeId}>
                    <span className="font-medium">{nameOf(genotypeId)}</span> × {count}
                  </li>
                ))}
                {plan.checks > 0 && (
                  <li>
                    <span className="font-medium">Check</span> × {plan.checks}
                  </li>
                )}
              </ul>
              <p className="text-sm">
                If you score every clone, expect to keep a pheno that’s {points(plan.gain)} better.{' '}
                <span className="text-muted">
                  With equal numbers of clones from the {plan.contenders} leading phenos: {points(plan.evenGain)}.
                </span>
              </p>
              <p className="text-sm">
                <span className="font-medium">Set them up in this order so no pheno gets all the good spots: </span>
                <span className="text-muted">{plan.order.map((at) => nameOf(plan.clones[at]?.genotypeId)).join(', ')}</span>
              </p>
            </>
          ) : (
            count !== null &&
            checkCount !== null && (
              <p className="text-muted text-sm">
                {count > checkCount
                  ? 'Fewer than two of the leading phenos have a living plant to cut clones from.'
                  : 'The check clones leave no room for other clones.'}
              </p>
            )
          )}
        </CardBody>
      </section>
    </Card>
  )
}

const points = (gain: number): string => {
  const text = gain.toFixed(1)
  return text === '1.0' ? '1 point' : `${text} points`
}
