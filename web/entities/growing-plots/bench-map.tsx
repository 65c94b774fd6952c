import { Fragment } from 'react'
import { cx } from '#web/ui/cx.ts'
import { hatching, tintOf } from './matrix-rows.ts'
import { css, type Look, mix } from './palette.ts'
import { fitted, type Picture, PlotFrame, type PlotProps } from './plot-frame.tsx'
import { missingText, numberText, type PlotColumn, withUnit } from './plot-table.ts'
import type { PlotMeasure } from './tracker-plot-rows.ts'

type BenchMapProps = PlotProps & {
  runName: string
  bench: BenchSize
  plants: readonly BenchPlant[]
  /** If null, positions are colored by stage. */
  trait: PlotMeasure | null
  onPlant?: ((plantId: string) => void) | undefined
}

export function BenchMap({ runName, bench, plants, trait, onPlant, ...frame }: BenchMapProps) {
  const { size, places } = benchPlaces(bench, plants)
  const stages = stagesOf(places)
  const rows = Array.from({ length: size.rows }, (_, row) => places.slice(row * size.columns, (row + 1) * size.columns))
  return (
    <PlotFrame
      {...frame}
      title={`Bench for ${runName}`}
      help={
        trait
          ? `The bench from above. A deeper green means a more desirable value for ${trait.name}. If a corner or edge stands out, the cause may be the light, not the plant.`
          : 'The bench from above, by stage. Dashed spots are empty. The check clone has a double frame.'
      }
      table={{ columns: benchColumns(trait), rows: places }}
      picture={() => benchPicture(size, places, trait, stages)}
      isEmpty={plants.length === 0}
      empty={{ title: 'Nothing on the bench yet', description: 'Assign the plants in this run to spots to see the bench here.' }}
      height={360}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable by keyboard */}
      <section aria-label={`Bench for ${runName}, from above`} tabIndex={0} className="overflow-x-auto rounded-tag pb-2">
        <div
          className="grid w-max min-w-full gap-1.5"
          style={{ gridTemplateColumns: `1.5rem repeat(${size.columns}, minmax(5.25rem, 1fr))` }}
        >
          <span />
          {Array.from({ length: size.columns }, (_, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by their numbers
            <span key={column} aria-hidden="true" className="text-center text-muted text-xs tabular-nums">
              {column + 1}
            </span>
          ))}
          {rows.map((line, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by their letters
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

const cell = { width: 104, height: 68, gap: 6 }
const edge = 26

function benchPicture(size: BenchSize, places: readonly BenchPlace[], trait: PlotMeasure | null, stages: readonly string[]): Picture {
  const width = Math.max(560, edge + size.columns * (cell.width + cell.gap))
  return {
    width,
    height: edge + size.rows * (cell.height + cell.gap),
    paint(context, look) {
      const { palette, font } = look
      context.textBaseline = 'middle'
      context.textAlign = 'center'
      context.font = `400 12px ${font}`
      context.fillStyle = css(palette.muted)
      for (let column = 0; column < size.columns; column += 1) {
        context.fillText(String(column + 1), edge + column * (cell.width + cell.gap) + cell.width / 2, edge / 2)
      }
      for (let row = 0; row < size.rows; row += 1) {
        context.fillText(rowLetter(row + 1), edge / 2, edge + row * (cell.height + cell.gap) + cell.height / 2)
      }
      for (const place of places) paintPlace(context, place, trait, stages, look)
    },
  }
}

function paintPlace(
  context: CanvasRenderingContext2D,
  { row, column, plant }: BenchPlace,
  trait: PlotMeasure | null,
  stages: readonly string[],
  { palette, font }: Look,
): void {
  const x = edge + (column - 1) * (cell.width + cell.gap)
  const y = edge + (row - 1) * (cell.height + cell.gap)
  context.beginPath()
  context.roundRect(x + 0.5, y + 0.5, cell.width - 1, cell.height - 1, 10)
  context.setLineDash(plant ? [] : [4, 3])
  context.strokeStyle = css(palette.edge, 0.6)
  context.lineWidth = 1
  if (plant) {
    const tone = stageTones[stages.indexOf(plant.stage) % stageTones.length] ?? 'muted'
    const desirable = plant.desirability === null ? palette.sunk : mix(palette.surface, palette.leaf, tintOf(plant.desirability))
    context.fillStyle = css(trait ? desirable : mix(palette.surface, palette[tone], 0.16))
    context.fill()
  }
  context.stroke()
  context.setLineDash([])
  const lines = plant ? [plant.name, benchText(plant, trait), ...(plant.isCheck ? ['Check clone'] : [])] : ['Empty']
  if (plant?.isCheck) {
    context.beginPath()
    context.roundRect(x + 4.5, y + 4.5, cell.width - 9, cell.height - 9, 7)
    context.strokeStyle = css(palette.ink)
    context.stroke()
  }
  context.textAlign = plant ? 'left' : 'center'
  for (const [nth, line] of lines.entries()) {
    context.font = `${plant && nth === 0 ? 600 : 400} ${nth === 0 && plant ? 13 : 12}px ${font}`
    context.fillStyle = css(plant ? palette.ink : palette.muted)
    const at = y + cell.height / 2 + (nth - (lines.length - 1) / 2) * 17
    context.fillText(fitted(context, line, cell.width - 20), plant ? x + 10 : x + cell.width / 2, at)
  }
}

/** Colors, assigned to stages in order of appearance. Labels also name the stage. */
const stageTones = ['leaf', 'plot-sky', 'plot-plum', 'clay', 'muted'] as const

/** Rows and columns count from 1. */
export type BenchPlant = {
  plantId: string
  name: string
  row: number
  column: number
  stage: string
  value: number | null
  /** 0 to 1; null if the trait isn't scored. */
  desirability: number | null
  /** A check clone is grown in several runs to compare them. */
  isCheck: boolean
}

type BenchSize = { rows: number; columns: number }

type BenchPlace = { row: number; column: number; plant: BenchPlant | null }

export function benchPlaces(size: BenchSize, plants: readonly BenchPlant[]): { size: BenchSize; places: BenchPlace[] } {
  const rows = Math.max(size.rows, ...plants.map(({ row }) => row))
  const columns = Math.max(size.columns, ...plants.map(({ column }) => column))
  const at = new Map(plants.map((plant) => [`${plant.row}:${plant.column}`, plant]))
  return {
    size: { rows, columns },
    places: Array.from({ length: rows * columns }, (_, nth) => {
      const row = Math.floor(nth / columns) + 1
      const column = (nth % columns) + 1
      return { row, column, plant: at.get(`${row}:${column}`) ?? null }
    }),
  }
}

/** 1 → A, 26 → Z, 27 → AA, so "B7" is unambiguous. */
export function rowLetter(row: number): string {
  const rest = Math.floor((row - 1) / 26)
  return `${rest > 0 ? rowLetter(rest) : ''}${String.fromCharCode(65 + ((row - 1) % 26))}`
}

const placeName = ({ row, column }: { row: number; column: number }): string => `${rowLetter(row)}${column}`

export const benchText = (plant: BenchPlant, trait: PlotMeasure | null): string =>
  trait === null ? plant.stage : plant.value === null ? missingText : withUnit(numberText(plant.value, trait.digits), trait.unit)

export function benchColumns(trait: PlotMeasure | null): PlotColumn<BenchPlace>[] {
  return [
    { key: 'place', label: 'Spot', value: placeName },
    { key: 'plant', label: 'Plant', value: ({ plant }) => plant?.name ?? 'Empty' },
    { key: 'check', label: 'Check clone', kind: 'yes-no', value: ({ plant }) => plant?.isCheck ?? null },
    { key: 'stage', label: 'Stage', value: ({ plant }) => plant?.stage ?? null },
    ...(trait
      ? [
          {
            key: 'value',
            label: trait.name,
            unit: trait.unit,
            kind: 'number',
            digits: trait.digits,
            value: ({ plant }) => plant?.value ?? null,
          } satisfies PlotColumn<BenchPlace>,
        ]
      : []),
  ]
}

const stagesOf = (places: readonly BenchPlace[]): string[] => [...new Set(places.flatMap(({ plant }) => plant?.stage ?? []))]
