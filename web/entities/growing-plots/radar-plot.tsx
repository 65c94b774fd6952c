import { formatList } from '#web/lib/format.ts'
import { Chart, chartPicture, type PlotPoint } from './chart.tsx'
import { type Drawn, drawingOption, label, markAt, polyline } from './chart-option.ts'
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

type RadarPlotProps = PlotProps & {
  /** The plot is legible with three to ten traits. */
  traits: readonly PlotTrait[]
  /** All genotypes of the hunt, because their lowest and highest values are the ends of the spokes. */
  genotypes: readonly TraitValues[]
  /** Two to four; only the first four are drawn. */
  chosen: readonly string[]
  onChoose?: ((genotypeId: string) => void) | undefined
}

export const maxInRadar = 4

export function RadarPlot({ traits, genotypes, chosen, onChoose, ...frame }: RadarPlotProps) {
  const axes = traitAxes(traits, genotypes)
  const rows = chosen.flatMap((id) => genotypes.find(({ genotypeId }) => genotypeId === id) ?? []).slice(0, maxInRadar)
  const lines = traitLines(rows, axes)
  const draw = (look: Look) => drawingOption(radarDrawing(lines, axes, look), look)
  return (
    <PlotFrame
      {...frame}
      title="Head to head"
      help="Outward is better on every spoke, from the hunt’s weakest value to its best. An open outline means a trait wasn’t measured."
      table={{ columns: traitColumns(axes), rows }}
      picture={() => chartPicture(draw, 760, radarHeight(lines.length, 760))}
      isEmpty={axes.length < 3 || lines.length < 2}
      empty={
        axes.length < 3
          ? { title: 'Nothing measured yet', description: 'Measure three traits to compare plants here.' }
          : { title: 'Nothing to compare yet', description: 'Choose two to four phenos to compare.' }
      }
      height={440}
    >
      <Chart
        name={`Comparison of ${formatList(lines.map(({ row }) => row.name))} across ${axes.length} traits`}
        draw={draw}
        heightOf={(width) => radarHeight(lines.length, width)}
        pointsOf={(_, look) => radarPoints(lines, axes, look)}
        onChoose={onChoose}
      />
    </PlotFrame>
  )
}

function radarPoints(lines: readonly TraitLine[], axes: readonly TraitAxis[], look: Look): PlotPoint[] {
  const { at } = radarPlaces(axes.length, lines.length, look)
  return lines.flatMap(({ row, stops }) =>
    stops.flatMap((stop, axis): PlotPoint[] => {
      const trait = axes[axis]?.trait
      return stop && trait
        ? [{ id: row.genotypeId, at: at(axis, stop.place), title: row.name, facts: [[trait.name, traitText(trait, stop.value)]] }]
        : []
    }),
  )
}

/** The worst value is on a small ring, because lines that meet in the center would be misleading. */
const innerShare = 0.16
const legendRow = 26

type RadarPlace = (axis: number, place: number) => readonly [x: number, y: number]

/** On phones, spokes show only names, without the values at their ends. */
const isNarrow = (width: number) => width < 520
const perRow = (genotypes: number, width: number) => (isNarrow(width) ? Math.min(genotypes, 2 + (genotypes % 2)) : 4)
const legendHeight = (genotypes: number, width: number) => Math.ceil(genotypes / perRow(genotypes, width)) * legendRow
const radiusOf = (width: number) => Math.max(48, Math.min(width / 2 - (isNarrow(width) ? 70 : 110), 200))
const aboveAndBelow = 50

const radarHeight = (genotypes: number, width: number): number => legendHeight(genotypes, width) + 2 * (radiusOf(width) + aboveAndBelow)

function radarPlaces(axes: number, genotypes: number, { width }: Pick<Look, 'width'>) {
  const radius = radiusOf(width)
  const center = [width / 2, legendHeight(genotypes, width) + aboveAndBelow + radius] as const
  const direction = (axis: number) => (axis / axes) * 2 * Math.PI - Math.PI / 2
  const at: RadarPlace = (axis, place) => {
    const distance = radius * (innerShare + (1 - innerShare) * place)
    return [center[0] + distance * Math.cos(direction(axis)), center[1] + distance * Math.sin(direction(axis))]
  }
  return { at, center, radius, direction }
}

/** Draws two to four genotypes. An outline is open where a value is missing. */
export function radarDrawing(lines: readonly TraitLine[], axes: readonly TraitAxis[], look: Look): Drawn[] {
  const { palette } = look
  const { at, center, radius, direction } = radarPlaces(axes.length, lines.length, look)
  const ring = (place: number) => [...axes.map((_, axis) => at(axis, place)), at(0, place)]
  return [
    ...[0, 0.25, 0.5, 0.75, 1].map((place) => polyline(ring(place), css(place === 1 ? palette.edge : palette.line), 1)),
    ...axes.map((_, axis) => polyline([at(axis, 0), at(axis, 1)], css(palette.line), 1)),
    ...lines.flatMap(({ stops }, nth): Drawn[] => {
      const mark = markOf(palette, nth)
      const points = stops.map((stop, axis) => (stop ? at(axis, stop.place) : null))
      const isWhole = points.every((point) => point !== null)
      const outline = isWhole ? [[...points, points[0] ?? null]] : turnedToGap(points)
      const color = css(mark.color)
      return [
        ...(isWhole
          ? [
              {
                type: 'polygon' as const,
                shape: { points: points.map((point) => [...(point ?? [])]) },
                style: { fill: css(mark.color, 0.08) },
              },
            ]
          : []),
        ...outline.flatMap((piece) => piecesOf(piece).map((part) => polyline(part, color, 2.5, mark.dash))),
        ...points.flatMap((point) => (point ? [markAt(mark, point, look)] : [])),
      ]
    }),
    ...axes.flatMap((axis, nth) => spokeLabel(axis, direction(nth), center, radius, look)),
    ...legend(lines, look),
  ]
}

/** Starts the outline at a gap, so a piece crossing the first spoke isn't split. */
function turnedToGap<Point>(points: readonly (Point | null)[]): (Point | null)[][] {
  const gap = points.indexOf(null)
  return [[...points.slice(gap), ...points.slice(0, gap)]]
}

function spokeLabel(axis: TraitAxis, direction: number, center: readonly [number, number], radius: number, look: Look): Drawn[] {
  const x = center[0] + (radius + 12) * Math.cos(direction)
  const y = center[1] + (radius + 12) * Math.sin(direction)
  const across = Math.cos(direction)
  const align = across > 0.3 ? 'left' : across < -0.3 ? 'right' : 'center'
  const room = align === 'center' ? radius * 1.4 : align === 'left' ? look.width - x : x
  const lines = wrapped(axis.trait.name, room, (text) => text.length * 7.2)
  const rows = [
    ...lines.map((text) => ({ text, isName: true })),
    ...(isNarrow(look.width) ? [] : [{ text: endTexts(axis).join(' – '), isName: false }]),
  ]
  const height = rows.length * 15
  const top = y - height / 2 + (Math.sin(direction) * height) / 2
  return rows.map(({ text, isName }, row) =>
    label(look, text, [x, top + row * 15 + 7.5], {
      align,
      size: isName ? 12.5 : 11.5,
      weight: isName ? 590 : 400,
      color: isName ? look.palette.ink : look.palette.muted,
      halo: true,
      room,
    }),
  )
}

function legend(lines: readonly TraitLine[], look: Look): Drawn[] {
  const inRow = perRow(lines.length, look.width)
  const column = Math.min(180, look.width / inRow)
  return lines.flatMap(({ row }, nth) => {
    const mark = markOf(look.palette, nth)
    const x = (nth % inRow) * column
    const y = Math.floor(nth / inRow) * legendRow + 12
    return [
      polyline(
        [
          [x, y],
          [x + 34, y],
        ],
        css(mark.color),
        2.5,
        mark.dash,
      ),
      markAt(mark, [x + 17, y], look),
      label(look, row.name, [x + 42, y], { color: look.palette.ink, size: 13, weight: 590, room: column - 52 }),
    ]
  })
}
