import { counted } from '#web/lib/format.ts'
import { Chart, chartPicture, type PlotPoint } from './chart.tsx'
import { type Drawn, drawingOption, label, markAt, polyline, spread } from './chart-option.ts'
import { css, type Look, markOf } from './palette.ts'
import { PlotFrame, type PlotProps, wrapped } from './plot-frame.tsx'
import {
  endTexts,
  type PlotTrait,
  piecesOf,
  type TraitAxis,
  type TraitLine,
  type TraitValues,
  traitAxes,
  traitColumns,
  traitLines,
  traitText,
} from './tracker-plot-rows.ts'

type ParallelPlotProps = PlotProps & {
  traits: readonly PlotTrait[]
  genotypes: readonly TraitValues[]
  /** Highlighted genotypes. Legible with up to five. */
  chosen: readonly string[]
  onChoose?: ((genotypeId: string) => void) | undefined
}

export function ParallelPlot({ traits, genotypes, chosen, onChoose, ...frame }: ParallelPlotProps) {
  const axes = traitAxes(traits, genotypes)
  const lines = traitLines(genotypes, axes)
  const draw = (look: Look) => drawingOption(parallelDrawing(lines, axes, chosen, look), look)
  const pictureWidth = Math.max(1120, axes.length * 104 + 100)
  return (
    <PlotFrame
      {...frame}
      title="Parallel coordinates"
      help="Each line is a pheno, and each axis a trait from the hunt’s weakest value to its best. Where lines cross between two axes, a gain in one trait comes at the cost of the other."
      table={{ columns: traitColumns(axes), rows: genotypes }}
      picture={() => chartPicture(draw, pictureWidth, parallelHeight(axes.length, pictureWidth))}
      isEmpty={axes.length < 2}
      empty={{ title: 'Nothing measured yet', description: 'Measure two traits on a few plants to compare them.' }}
      height={420}
    >
      <Chart
        name={`Parallel coordinates of ${counted(lines.length, 'pheno')} across ${counted(axes.length, 'trait')}`}
        draw={draw}
        heightOf={(width) => parallelHeight(axes.length, width)}
        pointsOf={(_, look) => parallelPoints(lines, axes, look)}
        onChoose={onChoose}
      />
    </PlotFrame>
  )
}

function parallelPoints(lines: readonly TraitLine[], axes: readonly TraitAxis[], look: Look): PlotPoint[] {
  const { at } = parallelPlaces(axes.length, look)
  return lines.flatMap(({ row, stops }) => {
    const trail = stops.map((stop, axis) => (stop ? at(axis, stop.place) : null))
    return stops.flatMap((stop, axis): PlotPoint[] => {
      const trait = axes[axis]?.trait
      const place = trail[axis]
      if (!stop || !trait || !place) return []
      return [{ id: row.genotypeId, at: place, title: row.name, facts: [[trait.name, traitText(trait, stop.value)]], trail }]
    })
  })
}

/** In pixels. Where axes would be closer together, as on phones, they lie flat, one below another. */
const minAxisGap = 92
const flatStep = 64
const namesBeside = 84

const liesFlat = (axes: number, width: number): boolean => (width - namesBeside) / Math.max(1, axes) < minAxisGap

const parallelHeight = (axes: number, width: number): number => (liesFlat(axes, width) ? axes * flatStep + 44 : 420)

type ParallelPlace = (axis: number, place: number) => readonly [x: number, y: number]

export function parallelPlaces(axes: number, { width, height }: Pick<Look, 'width' | 'height'>): { at: ParallelPlace; isFlat: boolean } {
  const isFlat = liesFlat(axes, width)
  if (isFlat) return { isFlat, at: (axis, place) => [10 + place * (width - 20), 34 + axis * flatStep] }
  const left = 48
  const top = 82
  const step = axes > 1 ? (width - left - namesBeside - 12) / (axes - 1) : 0
  return { isFlat, at: (axis, place) => [left + axis * step, top + (1 - place) * (height - top - 34)] }
}

export function parallelDrawing(lines: readonly TraitLine[], axes: readonly TraitAxis[], chosen: readonly string[], look: Look): Drawn[] {
  const { palette } = look
  const { at, isFlat } = parallelPlaces(axes.length, look)
  const placed = (stops: TraitLine['stops']) => stops.map((stop, axis) => (stop ? at(axis, stop.place) : null))
  const hair = css(palette.muted, lines.length > 60 ? 0.15 : 0.4)
  const others = lines.filter(({ row }) => !chosen.includes(row.genotypeId))
  const picked = chosen.flatMap((id) => lines.find(({ row }) => row.genotypeId === id) ?? [])
  return [
    ...others.flatMap(({ stops }) => piecesOf(placed(stops)).map((piece) => polyline(piece, hair, 1))),
    ...axes.map((_, nth) => polyline([at(nth, 0), at(nth, 1)], css(palette.edge), 1.25)),
    ...picked.flatMap(({ stops }, nth) => {
      const mark = markOf(palette, nth)
      const points = placed(stops)
      return [
        ...piecesOf(points).map((piece) => polyline(piece, css(mark.color), 2.5, mark.dash)),
        ...points.flatMap((point) => (point ? [markAt(mark, point, look)] : [])),
      ]
    }),
    ...axes.flatMap((axis, nth) => axisLabels(axis, at(nth, 0), at(nth, 1), isFlat, look)),
    ...namesOf(picked, axes.length, at, isFlat, look),
  ]
}

function axisLabels(
  axis: TraitAxis,
  far: readonly [number, number],
  good: readonly [number, number],
  isFlat: boolean,
  look: Look,
): Drawn[] {
  const { palette } = look
  const [farEnd, goodEnd] = endTexts(axis)
  const way = { max: 'more is better', min: 'less is better', target: axis.target ? 'closer is better' : 'toward a target' }[
    axis.trait.direction
  ]
  const name = { color: palette.ink, size: 13, weight: 590, halo: true }
  if (isFlat) {
    const room = (good[0] - far[0]) * 0.62
    return [
      label(look, axis.trait.name, [far[0], far[1] - 21], { ...name, room }),
      label(look, way, [good[0], far[1] - 21], { align: 'right', halo: true }),
      label(look, farEnd, [far[0], far[1] + 15], { halo: true }),
      label(look, goodEnd, [good[0], far[1] + 15], { align: 'right', halo: true }),
    ]
  }
  const lines = wrapped(axis.trait.name, minAxisGap, (text) => text.length * 7.4).slice(0, 2)
  return [
    ...lines.map((text, nth) =>
      label(look, text, [good[0], good[1] - 50 - (lines.length - 1 - nth) * 16], { ...name, align: 'center', room: minAxisGap + 12 }),
    ),
    label(look, way, [good[0], good[1] - 33], { size: 11, align: 'center' }),
    label(look, goodEnd, [good[0], good[1] - 14], { align: 'center', halo: true }),
    label(look, farEnd, [far[0], far[1] + 16], { align: 'center', halo: true }),
  ]
}

/** Labels go beside the last values, or below the last axis on phones, which lack the room. */
function namesOf(picked: readonly TraitLine[], axes: number, at: ParallelPlace, isFlat: boolean, look: Look): Drawn[] {
  const ends = picked.map(({ stops }) => {
    const last = stops.findLastIndex((stop) => stop !== null)
    const stop = stops[last]
    return stop ? at(last, stop.place) : null
  })
  const known = picked.flatMap((line, nth) => (ends[nth] ? [{ line, nth, end: ends[nth] }] : []))
  const color = (nth: number) => markOf(look.palette, nth).color
  if (isFlat) {
    const y = at(axes - 1, 0)[1] + 34
    const places = spread(
      known.map(({ end }) => end[0]),
      56,
      24,
      look.width - 24,
    )
    return known.map(({ line, nth }, place) =>
      label(look, line.row.name, [places[place] as number, y], { color: color(nth), size: 13, weight: 600, align: 'center', halo: true }),
    )
  }
  const x = at(axes - 1, 0)[0] + 14
  const places = spread(
    known.map(({ end }) => end[1]),
    17,
    60,
    look.height - 30,
  )
  return known.map(({ line, nth }, place) =>
    label(look, line.row.name, [x, places[place] as number], { color: color(nth), size: 13, weight: 600, room: namesBeside }),
  )
}
