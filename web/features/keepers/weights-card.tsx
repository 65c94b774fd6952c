import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import type { PreparedRanking } from '../../../agronomy/prepare-ranking.ts'
import type { Hunt } from '../../../contracts/hunts.ts'
import { setWeights, type Trait } from '../../../contracts/traits.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { Slider } from '../../ui/slider.tsx'
import { toast } from '../../ui/toast-store.ts'
import { traitsOptions } from '../traits/traits.api.ts'
import type { Weights } from './use-ranking.ts'

type WeightsCardProps = {
  hunt: Hunt
  traits: readonly Trait[]
  prepared: PreparedRanking
  weights: Weights
  /** As the hunt keeps them. */
  kept: Weights
  onMove: (traitId: string, weight: number) => void
  /** What was moved is kept now, or given up. */
  onSettled: () => void
}

/** What counts, and how much: everything follows while a weight is moved. Only those who write in the hunt can keep it. */
export function WeightsCard({ hunt, traits, prepared, weights, kept, onMove, onSettled }: WeightsCardProps) {
  const client = useQueryClient()
  const id = useId()
  const measured = new Set(prepared.traits.flatMap(({ id: traitId, isMeasured }) => (isMeasured ? [traitId] : [])))
  const sum = Object.entries(weights).reduce((total, [traitId, weight]) => (measured.has(traitId) ? total + weight : total), 0)
  const { max, step } = scaleOf(kept)
  const changed = Object.keys(weights).filter((traitId) => weights[traitId] !== kept[traitId])
  const saving = useMutation({
    mutationFn: () =>
      call(setWeights, {
        params: { id: hunt.id },
        body: { weights: changed.map((traitId) => ({ traitId, weight: weights[traitId] ?? 0 })) },
      }),
    onSuccess: (traits) => {
      client.setQueryData(traitsOptions(hunt.id).queryKey, traits)
      onSettled()
      toast({ title: 'Weights kept' })
    },
    onError: (error) => toast({ title: 'The weights could not be kept', description: messageOf(error), variant: 'destructive' }),
  })

  return (
    <Card asChild>
      <section aria-labelledby={`${id}-title`}>
        <CardBody className="grid gap-4">
          <div>
            <h3 id={`${id}-title`} className="text-lg">
              What counts
            </h3>
            <p className="mt-1 text-muted text-sm">Move a weight, and the ranking follows. 0 leaves it out.</p>
          </div>
          <ul className="grid gap-3">
            {prepared.traits
              .map((prepared) => ({ prepared, trait: traits.find((trait) => trait.id === prepared.id) }))
              .sort((a, b) => (a.trait?.position ?? 0) - (b.trait?.position ?? 0))
              .map(({ prepared: { id: traitId, isMeasured, variance }, trait }) => {
                const weight = weights[traitId] ?? 0
                // As in the ranking: what is not scored has no share.
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
                      {heritabilityText(isMeasured, variance)}
                    </p>
                  </li>
                )
              })}
          </ul>
          {changed.length > 0 && (
            <div className="sticky bottom-0 -mx-4 -mb-4 flex flex-wrap gap-2 border-line border-t bg-surface p-4 sm:-mx-5 sm:-mb-5 sm:px-5">
              {hunt.abilities.write && (
                <Button className="min-h-12" pending={saving.isPending} onClick={() => saving.mutate()}>
                  Keep these weights
                </Button>
              )}
              <Button className="min-h-12" variant="secondary" onClick={onSettled}>
                Put them back
              </Button>
            </div>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

/** What the hunt keeps fits on it, whether its weights are 1 to 5 or shares of a hundred. */
const scaleOf = (kept: Weights) => (Object.values(kept).every((weight) => weight <= 10) ? { max: 10, step: 0.5 } : { max: 100, step: 1 })

type Variance = PreparedRanking['traits'][number]['variance']

/** How much of what is seen is inherited, and how that is known. */
export function heritabilityText(isMeasured: boolean, { heritability, source, replicatedGenotypes }: Variance): string {
  if (!isMeasured) return 'Not scored yet'
  const share = `${Math.round(heritability * 100)}% inherited`
  return source === 'estimated' ? `${share}, seen in ${replicatedGenotypes} with clones` : `${share}, assumed: too few have clones`
}
