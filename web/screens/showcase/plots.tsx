import { useState } from 'react'
import { boundsOf, desirabilityOf } from '#agronomy/desirability.ts'
import { createRandom, nextNormal } from '#agronomy/random.ts'
import { GrowthCurves } from '#web/entities/growing-plots/growth-curves.tsx'
import type { HeightLog } from '#web/entities/growing-plots/growth-rows.ts'
import type { MatrixCell, MatrixGenotype, MatrixTrait } from '#web/entities/growing-plots/matrix-rows.ts'
import { ParallelPlot } from '#web/entities/growing-plots/parallel-plot.tsx'
import { RadarPlot } from '#web/entities/growing-plots/radar-plot.tsx'
import { type RankedGenotype, RankingPlot } from '#web/entities/growing-plots/ranking-plot.tsx'
import type { PlotTrait, TraitValues, YieldPotency } from '#web/entities/growing-plots/tracker-plot-rows.ts'
import { TraitMatrix } from '#web/entities/growing-plots/trait-matrix.tsx'
import { YieldPotencyPlot } from '#web/entities/growing-plots/yield-potency-plot.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { ThemeSwitch } from '#web/ui/theme-switch.tsx'
import { idOf, nameOf, round, runPlots, type SampleProps } from './run-plots.tsx'

const plotAmounts = ['loading', 'empty', 'few', 'many'] as const
type PlotAmount = (typeof plotAmounts)[number]

type PlotSearch = { amount?: PlotAmount; only?: string }

export function readPlotSearch({ amount, only }: Record<string, unknown>): PlotSearch {
  const known = plotAmounts.find((each) => each === amount)
  return { ...(known && { amount: known }), ...(typeof only === 'string' && { only }) }
}

const amounts: Record<PlotAmount, number> = { loading: 0, empty: 0, few: 5, many: 200 }

/** Not served in production. */
export function PlotShowcase({ amount, only }: { amount: PlotAmount; only: string | undefined }) {
  const [shown, setShown] = useState(amount)
  const count = amounts[shown]
  const shared: SampleProps['shared'] = {
    huntName: 'Made-up hunt',
    isLoading: shown === 'loading',
    emptyAction: <Button variant="secondary">Quick Log</Button>,
  }
  return (
    <div className="mx-auto grid max-w-page gap-6 px-4 py-8 sm:px-6">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="text-3xl">Plots</h1>
          <p className="mt-1 text-muted">Every number here is made up.</p>
        </div>
        <div className="flex items-end gap-3">
          <Field label="Plants">
            <Select value={shown} onChange={(event) => setShown(event.target.value as PlotAmount)}>
              {plotAmounts.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </Select>
          </Field>
          <ThemeSwitch />
        </div>
      </header>
      <h2 className="sr-only">All plots</h2>
      {plots.map(({ id, Plot }) => (only === undefined || only === id) && <Plot key={`${id} ${shown}`} count={count} shared={shared} />)}
    </div>
  )
}

const kinds: [name: string, unit: string | null, mean: number, spread: number, direction: 'max' | 'min' | 'target', digits: number][] = [
  ['Height', 'cm', 112, 16, 'target', 0],
  ['Dry yield', 'g', 84, 21, 'max', 1],
  ['THC', '%', 21.5, 2.6, 'max', 1],
  ['Terpenes', '%', 2.1, 0.6, 'max', 2],
  ['Days of flower', 'd', 63, 4, 'min', 0],
  ['Trim needed', null, 4.8, 1.6, 'min', 0],
  ['Aroma', null, 6.6, 1.5, 'max', 0],
  ['Internode length', 'cm', 6.2, 1.1, 'min', 1],
  ['Stem strength', null, 6.1, 1.7, 'max', 0],
  ['Mildew resistance', null, 6.4, 1.9, 'max', 0],
]

function sampleTraits(count: number): (MatrixTrait & PlotTrait)[] {
  return Array.from({ length: count }, (_, nth) => {
    const [name, unit, , , direction, digits] = kinds[nth % kinds.length] as (typeof kinds)[number]
    const round = Math.floor(nth / kinds.length)
    return {
      id: `trait-${nth}`,
      name: round === 0 ? name : `${name}, run ${round + 1}`,
      unit,
      direction,
      digits,
      ...(direction === 'target' && { target: 112 }),
    }
  })
}

function sampleValues(plants: number, traits: number): TraitValues[] {
  const random = createRandom(7)
  return Array.from({ length: plants }, (_, plant) => ({
    genotypeId: idOf(plant),
    name: nameOf(plant),
    isKeeper: plant === 6,
    values: Object.fromEntries(
      Array.from({ length: traits }, (_, nth) => {
        const [, , mean, spread, , digits] = kinds[nth % kinds.length] as (typeof kinds)[number]
        const value = round(mean + nextNormal(random) * spread, digits)
        return [`trait-${nth}`, random() % 10 === 0 && plant > 8 ? null : value]
      }),
    ),
  }))
}

function sampleMatrix(traits: readonly MatrixTrait[], plants: number): MatrixGenotype[] {
  const rows = sampleValues(plants, traits.length)
  const worth = traits.map((trait) => {
    const bounds = boundsOf(rows.flatMap(({ values }) => values[trait.id] ?? []))
    if (!bounds || trait.direction === null) return () => null
    const { low, high } = bounds
    return desirabilityOf(
      trait.direction === 'target'
        ? { direction: 'target', low, target: (low + high) / 2, high }
        : { direction: trait.direction, low, high },
    )
  })
  const notes = ['retest', 'cull', '', '', 'breed', '']
  return rows.map(({ genotypeId, name, values, isKeeper }, plant) => ({
    genotypeId,
    name,
    isKeeper,
    note: notes[plant % notes.length] || undefined,
    cells: Object.fromEntries(
      traits.map((trait, nth): [string, MatrixCell | null] => {
        const value = values[trait.id] ?? null
        return [trait.id, value === null ? null : { value, desirability: worth[nth]?.(value) ?? null, count: 1 + (plant % 3) }]
      }),
    ),
  }))
}

function sampleHeights(plants: number, weeks: number): HeightLog[] {
  const random = createRandom(3)
  return Array.from({ length: plants }, (_, plant) => {
    const final = 108 + nextNormal(random) * 17
    const half = 5.2 + nextNormal(random) * 0.5
    return Array.from({ length: weeks }, (_, week) => ({
      plantId: idOf(plant),
      at: week + 1,
      height: round(final / (1 + Math.exp(-(week + 1 - half) / 1.5)) + nextNormal(random) * 1.5),
    })).filter(({ at }) => plant < 4 || (at + plant) % 7 !== 0)
  }).flat()
}

function sampleRanking(plants: number): RankedGenotype[] {
  const random = createRandom(11)
  const scores = Array.from({ length: plants }, (_, plant) => ({ plant, score: 0.52 + nextNormal(random) * 0.09 }))
  const weights = scores.map(({ score }) => Math.exp(score * 26))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return scores
    .map(({ plant, score }) => {
      const half = 0.05 + ((plant * 7) % 5) * 0.012
      const best = (weights[plant] as number) / total
      return {
        genotypeId: idOf(plant),
        name: nameOf(plant),
        score,
        low: score - half,
        high: score + half,
        best,
        topThree: Math.min(1, best * 2.4),
      }
    })
    .sort((one, other) => other.score - one.score)
    .map((each, nth) => ({ ...each, isKeeper: nth === 1 }))
}

function sampleYields(plants: number): YieldPotency[] {
  const random = createRandom(5)
  return Array.from({ length: plants }, (_, plant) => {
    const tilt = nextNormal(random)
    return {
      genotypeId: idOf(plant),
      name: nameOf(plant),
      yield: round(84 + tilt * 14 + nextNormal(random) * 12),
      potency: round(21.5 - tilt * 1.4 + nextNormal(random) * 1.8, 2),
      isKeeper: plant === 6,
    }
  })
}

function Matrix({ count, shared }: SampleProps) {
  const [pressed, setPressed] = useState('')
  const traits = sampleTraits(count > 50 ? 40 : count)
  return (
    <div>
      <TraitMatrix
        {...shared}
        traits={traits}
        genotypes={sampleMatrix(traits, count)}
        onCell={(genotypeId, traitId) => setPressed(`${genotypeId} ${traitId}`)}
      />
      <output className="sr-only">{pressed}</output>
    </div>
  )
}

const Ranking = ({ count, shared }: SampleProps) => (
  <RankingPlot {...shared} ranked={sampleRanking(count)} verdict="Too close to call: the first three overlap." onChoose={() => undefined} />
)

const Growth = ({ count, shared }: SampleProps) => (
  <GrowthCurves
    {...shared}
    logs={sampleHeights(count, 12)}
    chosen={sampleRanking(count)
      .slice(0, 4)
      .map(({ genotypeId, name }) => ({ plantId: genotypeId, name }))}
    by="week"
    unit="cm"
  />
)

const Parallel = ({ count, shared }: SampleProps) => (
  <ParallelPlot {...shared} traits={sampleTraits(9)} genotypes={sampleValues(count, 9)} chosen={['plant-3', 'plant-1', 'plant-5']} />
)

const Radar = ({ count, shared }: SampleProps) => (
  <RadarPlot
    {...shared}
    traits={sampleTraits(8)}
    genotypes={sampleValues(Math.min(count, 40), 8).map((row, nth) =>
      nth === 2 ? { ...row, values: { ...row.values, 'trait-3': null } } : row,
    )}
    chosen={['plant-1', 'plant-2', 'plant-3']}
  />
)

const Yields = ({ count, shared }: SampleProps) => (
  <YieldPotencyPlot
    {...shared}
    genotypes={sampleYields(count)}
    yields={{ name: 'Dry yield', unit: 'g', digits: 1 }}
    potency={{ name: 'THC', unit: '%' }}
    onChoose={() => undefined}
  />
)

const plots = [
  { id: 'matrix', Plot: Matrix },
  { id: 'ranking', Plot: Ranking },
  { id: 'growth', Plot: Growth },
  { id: 'parallel', Plot: Parallel },
  { id: 'radar', Plot: Radar },
  { id: 'yields', Plot: Yields },
  ...runPlots,
]
