import { type ReactNode, useState } from 'react'
import { BenchMap } from '#web/entities/growing-plots/bench-map.tsx'
import { ClimatePlot } from '#web/entities/growing-plots/climate-plot.tsx'
import { GrowthCurves } from '#web/entities/growing-plots/growth-curves.tsx'
import { LineageGraph } from '#web/entities/growing-plots/lineage-graph.tsx'
import { ParallelPlot } from '#web/entities/growing-plots/parallel-plot.tsx'
import { PhotoGrid } from '#web/entities/growing-plots/photo-grid.tsx'
import { RadarPlot } from '#web/entities/growing-plots/radar-plot.tsx'
import { RankingPlot } from '#web/entities/growing-plots/ranking-plot.tsx'
import { TraitMatrix } from '#web/entities/growing-plots/trait-matrix.tsx'
import { YieldPotencyPlot } from '#web/entities/growing-plots/yield-potency-plot.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { ThemeSwitch } from '#web/ui/theme-switch.tsx'
import {
  sampleBench,
  sampleClimate,
  sampleHeights,
  sampleLineage,
  sampleMatrix,
  samplePhotos,
  sampleRanking,
  sampleTargets,
  sampleTraits,
  sampleValues,
  sampleYields,
} from './plot-samples.ts'
import { type PlotAmount, plotAmounts } from './plot-search.ts'

const amounts: Record<PlotAmount, number> = { loading: 0, empty: 0, few: 5, many: 200 }

type Shared = { huntName: string; isLoading: boolean; emptyAction: ReactNode }

/** All plots with sample data: loading, empty, few and many. Not served in production. */
export function PlotShowcase({ amount, only }: { amount: PlotAmount; only: string | undefined }) {
  const [shown, setShown] = useState(amount)
  const count = amounts[shown]
  const shared: Shared = {
    huntName: 'Made-up hunt',
    isLoading: shown === 'loading',
    emptyAction: <Button variant="secondary">Quick log</Button>,
  }
  return (
    <div className="mx-auto grid max-w-page gap-6 px-4 py-8 sm:px-6">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="text-3xl">Plots</h1>
          <p className="mt-1 text-muted">Every number here is made up. No plants were grown.</p>
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

type SampleProps = { count: number; shared: Shared }

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

const Climate = ({ count, shared }: SampleProps) => (
  <ClimatePlot
    {...shared}
    readings={count === 0 ? [] : sampleClimate(count > 50 ? 84 : 2, count > 50 ? 2 : 60)}
    targets={sampleTargets(count > 50 ? 84 : 2)}
    units={{ vpd: 'kPa', temperature: '°C', humidity: '%' }}
    timeZone="America/Denver"
  />
)

const Bench = ({ count, shared }: SampleProps) => {
  const size = count > 50 ? { rows: 6, columns: 12 } : { rows: 2, columns: 4 }
  const plants = count === 0 ? [] : sampleBench(size.rows, size.columns)
  return (
    <>
      <BenchMap
        {...shared}
        runName="run 2"
        bench={size}
        plants={plants}
        trait={{ name: 'Dry yield', unit: 'g' }}
        onPlant={() => undefined}
      />
      <BenchMap {...shared} runName="run 1" bench={size} plants={plants} trait={null} />
    </>
  )
}

const Lineage = ({ count, shared }: SampleProps) => (
  <LineageGraph {...shared} nodes={count === 0 ? [] : sampleLineage(count)} onNode={() => undefined} />
)

const Photos = ({ count, shared }: SampleProps) => (
  <PhotoGrid
    {...shared}
    day="2026-10-12"
    photos={samplePhotos(count)}
    timeZone="America/Denver"
    onPhoto={() => undefined}
    onEarlier={() => undefined}
  />
)

const plots = [
  { id: 'matrix', Plot: Matrix },
  { id: 'ranking', Plot: Ranking },
  { id: 'growth', Plot: Growth },
  { id: 'parallel', Plot: Parallel },
  { id: 'radar', Plot: Radar },
  { id: 'yields', Plot: Yields },
  { id: 'climate', Plot: Climate },
  { id: 'bench', Plot: Bench },
  { id: 'lineage', Plot: Lineage },
  { id: 'photos', Plot: Photos },
]
