import { Chart, type PlotPoint } from './chart.tsx'
import { drawingOption } from './drawing.ts'
import type { Look } from './palette.ts'
import { parallelDrawing, parallelHeight, parallelPlaces } from './parallel-drawing.ts'
import { PlotFrame, type PlotProps } from './plot-frame.tsx'
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

type ParallelPlotProps = PlotProps & {
  traits: readonly PlotTrait[]
  genotypes: readonly TraitValues[]
  /** Those whose lines stand out; up to five stay legible. */
  chosen: readonly string[]
  onChoose?: ((genotypeId: string) => void) | undefined
}

/** Each genotype as a line over all traits. */
export function ParallelPlot({ traits, genotypes, chosen, onChoose, ...frame }: ParallelPlotProps) {
  const axes = traitAxes(traits, genotypes)
  const lines = traitLines(genotypes, axes)
  const draw = (look: Look) => drawingOption(parallelDrawing(lines, axes, chosen, look), look)
  const pictureWidth = Math.max(1120, axes.length * 104 + 100)
  return (
    <PlotFrame
      {...frame}
      title="Parallel coordinates"
      help="Each line is a genotype, each axis a trait from the hunt’s weakest value to its best. Lines that cross between two axes mean that one trait is paid for with the other."
      table={{ columns: traitColumns(axes), rows: genotypes }}
      picture={() => chartPicture(draw, pictureWidth, parallelHeight(axes.length, pictureWidth))}
      isEmpty={axes.length < 2}
      empty={{ title: 'Nothing measured yet', description: 'Measure two traits on a few plants, and their lines begin here.' }}
      height={420}
    >
      <Chart
        name={`Parallel coordinates of ${lines.length} genotypes over ${axes.length} traits`}
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
