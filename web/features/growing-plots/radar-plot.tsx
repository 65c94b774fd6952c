import { Chart, type PlotPoint } from './chart.tsx'
import { drawingOption } from './drawing.ts'
import type { Look } from './palette.ts'
import { PlotFrame, type PlotProps } from './plot-frame.tsx'
import { radarDrawing, radarHeight, radarPlaces } from './radar-drawing.ts'
import {
  type PlotTrait,
  type TraitAxis,
  type TraitLine,
  type TraitValues,
  traitAxes,
  traitColumns,
  traitLines,
  traitText,
} from './trait-axes.ts'
import { chartPicture } from './use-chart.ts'

type RadarPlotProps = PlotProps & {
  /** Three to ten stay legible. */
  traits: readonly PlotTrait[]
  /** All of the hunt, whose lowest and highest values are the ends of the spokes. */
  genotypes: readonly TraitValues[]
  /** Two to four of them; of more the first four are drawn. */
  chosen: readonly string[]
  onChoose?: ((genotypeId: string) => void) | undefined
}

export const mostInRadar = 4

/** Two to four genotypes laid over each other, trait by trait. */
export function RadarPlot({ traits, genotypes, chosen, onChoose, ...frame }: RadarPlotProps) {
  const axes = traitAxes(traits, genotypes)
  const rows = chosen.flatMap((id) => genotypes.find(({ genotypeId }) => genotypeId === id) ?? []).slice(0, mostInRadar)
  const lines = traitLines(rows, axes)
  const draw = (look: Look) => drawingOption(radarDrawing(lines, axes, look), look)
  return (
    <PlotFrame
      {...frame}
      title="Head to head"
      help="Outward is better on every spoke, from the hunt’s weakest value to its best. An open outline means that a trait was not measured."
      table={{ columns: traitColumns(axes), rows }}
      picture={() => chartPicture(draw, 760, radarHeight(lines.length, 760))}
      isEmpty={axes.length < 3 || lines.length < 2}
      empty={
        axes.length < 3
          ? { title: 'Nothing measured yet', description: 'Measure three traits, and plants can be laid over each other here.' }
          : { title: 'Choose who to compare', description: 'Choose two to four genotypes to lay them over each other.' }
      }
      height={440}
    >
      <Chart
        name={`Comparison of ${lines.map(({ row }) => row.name).join(', ')} over ${axes.length} traits`}
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
