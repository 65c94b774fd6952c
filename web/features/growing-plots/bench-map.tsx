import { Fragment } from 'react'
import { cx } from '../../ui/cx.ts'
import { benchPicture } from './bench-picture.ts'
import {
  type BenchPlace,
  type BenchPlant,
  type BenchSize,
  benchColumns,
  benchPlaces,
  benchText,
  placeName,
  rowLetter,
  stagesOf,
} from './bench-rows.ts'
import { hatching, tintOf } from './matrix-rows.ts'
import { PlotFrame, type PlotProps } from './plot-frame.tsx'
import { stageTones } from './stage-tones.ts'
import type { PlotMeasure } from './yield-potency-rows.ts'

type BenchMapProps = PlotProps & {
  runName: string
  bench: BenchSize
  plants: readonly BenchPlant[]
  /** What colors the places; null colors them by stage. */
  trait: PlotMeasure | null
  onPlant?: ((plantId: string) => void) | undefined
}

/** Where each plant of a run stands, seen from above. */
export function BenchMap({ runName, bench, plants, trait, onPlant, ...frame }: BenchMapProps) {
  const { size, places } = benchPlaces(bench, plants)
  const stages = stagesOf(places)
  const rows = Array.from({ length: size.rows }, (_, row) => places.slice(row * size.columns, (row + 1) * size.columns))
  return (
    <PlotFrame
      {...frame}
      title={`Bench of ${runName}`}
      help={
        trait
          ? `The bench from above. The deeper the green, the more desirable the ${trait.name.toLowerCase()}; a corner or an edge that stands out may be the light, not the plant.`
          : 'The bench from above, by stage. Dashed places are empty; the check clone has a double frame.'
      }
      table={{ columns: benchColumns(trait), rows: places }}
      picture={() => benchPicture(size, places, trait, stages)}
      isEmpty={plants.length === 0}
      empty={{ title: 'Nothing on the bench yet', description: 'Give the plants of this run their places, and the bench appears here.' }}
      height={360}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section aria-label={`Bench of ${runName}, from above`} tabIndex={0} className="overflow-x-auto rounded-tag pb-2">
        <div
          className="grid w-max min-w-full gap-1.5"
          style={{ gridTemplateColumns: `1.5rem repeat(${size.columns}, minmax(5.25rem, 1fr))` }}
        >
          <span />
          {Array.from({ length: size.columns }, (_, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns are their numbers
            <span key={column} aria-hidden="true" className="text-center text-muted text-xs tabular-nums">
              {column + 1}
            </span>
          ))}
          {rows.map((line, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are their letters
            <Fragment key={row}>
              <span aria-hidden="true" className="place-self-center text-muted text-xs">
                {rowLetter(row + 1)}
              </span>
              {line.map((place) => (
                <Place key={place.column} place={place} trait={trait} stages={stages} onPlant={onPlant} />
              ))}
            </Fragment>
          ))}
        </div>
      </section>
    </PlotFrame>
  )
}

type PlaceProps = {
  place: BenchPlace
  trait: PlotMeasure | null
  stages: readonly string[]
  onPlant: ((plantId: string) => void) | undefined
}

function Place({ place, trait, stages, onPlant }: PlaceProps) {
  const { plant } = place
  if (!plant) {
    return (
      <span className="grid min-h-16 place-items-center rounded-input border border-edge/60 border-dashed text-muted text-xs">
        <span className="sr-only">{placeName(place)}: </span>
        Empty
      </span>
    )
  }
  const tone = stageTones[stages.indexOf(plant.stage) % stageTones.length] ?? 'muted'
  const background = trait
    ? plant.desirability === null
      ? hatching
      : `color-mix(in oklab, var(--leaf) ${tintOf(plant.desirability) * 100}%, var(--surface))`
    : `color-mix(in oklab, var(--${tone}) 16%, var(--surface))`
  const look = cx(
    'grid min-h-16 content-center gap-0.5 rounded-input border border-edge/50 px-2 py-1.5 text-left text-sm',
    plant.isCheck && 'outline-1 outline-ink outline-offset-[-5px]',
    onPlant &&
      'transition-[border-color] hover:border-ink focus-visible:outline-2 focus-visible:outline-focus focus-visible:outline-offset-2',
  )
  const words = (
    <>
      <span className="sr-only">{placeName(place)}: </span>
      <span className="truncate font-semibold leading-tight">{plant.name}</span>
      <span className="truncate text-xs tabular-nums">{benchText(plant, trait)}</span>
      {plant.isCheck && (
        <span className="truncate text-xs leading-tight">
          Check<span className="sr-only"> clone</span>
        </span>
      )}
    </>
  )
  return onPlant ? (
    <button type="button" className={look} style={{ background }} onClick={() => onPlant(plant.plantId)}>
      {words}
    </button>
  ) : (
    <div className={look} style={{ background }}>
      {words}
    </div>
  )
}
