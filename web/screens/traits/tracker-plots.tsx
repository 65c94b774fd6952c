import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { PhotosOfDay } from '#contracts/grow-logs.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { photosOptions } from '#web/entities/grow-logs/grow-logs.api.ts'
import { plantName } from '#web/entities/grow-logs/plant-names.ts'
import type { DayPhoto } from '#web/entities/growing-plots/tracker-plot-rows.ts'
import { localDay } from '#web/lib/time-words.ts'
import { Card } from '#web/ui/card.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { axisTraits, plotTraits, plotValues, type Tracker, usualAxes, yieldPotency } from './tracker-rows.ts'

const ParallelPlot = lazy(async () => ({ default: (await import('#web/entities/growing-plots/parallel-plot.tsx')).ParallelPlot }))
const RadarPlot = lazy(async () => ({ default: (await import('#web/entities/growing-plots/radar-plot.tsx')).RadarPlot }))
const YieldPotencyPlot = lazy(async () => ({
  default: (await import('#web/entities/growing-plots/yield-potency-plot.tsx')).YieldPotencyPlot,
}))
const PhotoGrid = lazy(async () => ({ default: (await import('#web/entities/growing-plots/photo-grid.tsx')).PhotoGrid }))

const maxChosen = 4
const maxSpokes = 10
/** Limits the chips. People can choose other plants in the plots. */
const maxChips = 40

type TrackerPlotsProps = { hunt: Pick<Hunt, 'id' | 'huntName'>; tracker: Tracker }

export function TrackerPlots({ hunt, tracker }: TrackerPlotsProps) {
  const [picked, setPicked] = useState<readonly string[] | null>(null)
  const values = plotValues(tracker)
  const judged = plotTraits(tracker)
  const measured = tracker.rows.filter(({ cells }) => Object.keys(cells).length > 0)
  const known = new Set(measured.map(({ genotype }) => genotype.id))
  const chosen = (picked ?? firstChosen(measured)).filter((id) => known.has(id))
  const toggle = (id: string) => setPicked(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id].slice(-maxChosen))
  // Measured traits with the highest weights become the radar's spokes.
  const weightOf = new Map(tracker.traits.map(({ id, weight }) => [id, weight]))
  const spokes = judged
    .filter(({ id }) => measured.some(({ cells }) => typeof cells[id]?.number === 'number'))
    .toSorted((a, b) => (weightOf.get(b.id) ?? 0) - (weightOf.get(a.id) ?? 0))
    .slice(0, maxSpokes)
  return (
    <div className="grid gap-6">
      {measured.length > 1 && (
        <fieldset className="flex flex-wrap gap-2">
          <legend className="mb-1.5 text-muted text-sm">Highlight in the plots, up to {maxChosen}</legend>
          {measured.slice(0, maxChips).map(({ genotype, name }) => (
            <Chip key={genotype.id} pressed={chosen.includes(genotype.id)} onClick={() => toggle(genotype.id)} className="min-h-12">
              {name}
            </Chip>
          ))}
        </fieldset>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Plot>
          <ParallelPlot huntName={hunt.huntName} level={2} traits={judged} genotypes={values} chosen={chosen} onChoose={toggle} />
        </Plot>
        <Plot>
          <RadarPlot huntName={hunt.huntName} level={2} traits={spokes} genotypes={values} chosen={chosen} />
        </Plot>
        <Scatter hunt={hunt} tracker={tracker} chosen={chosen} onChoose={toggle} />
        <Photos hunt={hunt} />
      </div>
    </div>
  )
}

const Plot = ({ children }: { children: React.ReactNode }) => (
  <Suspense fallback={<Skeleton className="h-96 w-full" />}>{children}</Suspense>
)

const firstChosen = (rows: Tracker['rows']): string[] =>
  [...rows]
    .sort((a, b) => Number(b.isKeeper) - Number(a.isKeeper))
    .slice(0, 3)
    .map(({ genotype }) => genotype.id)

type ScatterProps = TrackerPlotsProps & { chosen: readonly string[]; onChoose: (id: string) => void }

function Scatter({ hunt, tracker, chosen, onChoose }: ScatterProps) {
  const traits = axisTraits(tracker)
  const usual = usualAxes(traits)
  const [axes, setAxes] = useState<{ x: string | null; y: string | null }>({ x: null, y: null })
  const traitOf = (id: string | null, other: string | null | undefined) =>
    traits.find((trait) => trait.id === id) ?? traits.find((trait) => trait.id === other)
  const x = traitOf(axes.x, usual.yieldId) ?? traits[0]
  const y = traitOf(axes.y, usual.potencyId) ?? traits.find(({ id }) => id !== x?.id)
  if (!x || !y) return null
  const options = traits.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ))
  return (
    <div className="grid min-w-0 gap-3">
      <Plot>
        <YieldPotencyPlot
          huntName={hunt.huntName}
          level={2}
          genotypes={yieldPotency(tracker, x.id, y.id)}
          yields={{ name: x.name, unit: x.unit }}
          potency={{ name: y.name, unit: y.unit }}
          chosen={chosen}
          onChoose={onChoose}
        />
      </Plot>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="X axis">
          <Select value={x.id} onChange={(event) => setAxes({ ...axes, x: event.target.value })}>
            {options}
          </Select>
        </Field>
        <Field label="Y axis">
          <Select value={y.id} onChange={(event) => setAxes({ ...axes, y: event.target.value })}>
            {options}
          </Select>
        </Field>
      </div>
    </div>
  )
}

function Photos({ hunt }: Pick<TrackerPlotsProps, 'hunt'>) {
  const [day, setDay] = useState<string | undefined>()
  const photos = useQuery(photosOptions(hunt.id, day))
  if (photos.isError && !photos.data) {
    return (
      <Card>
        <LoadError level={3} title="The photos couldn’t be loaded" query={photos} />
      </Card>
    )
  }
  const days = photos.data?.days.map(({ on }) => on) ?? []
  const shown = photos.data?.on ?? day ?? localDay()
  const at = days.indexOf(shown)
  const [earlier, later] = [days[at + 1], at > 0 ? days[at - 1] : undefined]
  return (
    <Plot>
      <PhotoGrid
        huntName={hunt.huntName}
        level={2}
        isLoading={photos.isPending}
        day={shown}
        photos={photos.data ? dayPhotos(photos.data) : []}
        {...(at !== -1 && earlier ? { onEarlier: () => setDay(earlier) } : {})}
        {...(later ? { onLater: () => setDay(later) } : {})}
      />
    </Plot>
  )
}

const dayPhotos = ({ plants }: PhotosOfDay): DayPhoto[] =>
  plants.flatMap(({ plant, photos }) =>
    photos.map(({ media, addedAt }) => ({
      photoId: media.id,
      plantId: plant?.id ?? 'hunt',
      plantName: plant ? plantName(plant) : 'Whole hunt',
      takenAt: Date.parse(addedAt),
      media,
    })),
  )
