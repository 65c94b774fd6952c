import { Chart, type Locate, type PlotPoint } from './chart.tsx'
import { numberText, withUnit } from './format.ts'
import { growthOption } from './growth-option.ts'
import { besideMedian, type GrowthPlant, type GrowthRow, growthColumns, growthRows, type HeightLog } from './growth-rows.ts'
import type { Look } from './palette.ts'
import { PlotFrame, type PlotProps } from './plot-frame.tsx'
import { chartPicture } from './use-chart.ts'

type GrowthCurvesProps = PlotProps & {
  /** Heights of all siblings: the chosen plants are among them. */
  logs: readonly HeightLog[]
  /** The plants with a line of their own, in this order; up to six stay legible. */
  chosen: readonly GrowthPlant[]
  /** What `at` counts since germination. */
  by: 'week' | 'day'
  unit: string
  /** Heights there are, but none whose week is known. */
  isUndated?: boolean | undefined
  onChoose?: ((plantId: string) => void) | undefined
}

const heightOf = (width: number) => (width < 520 ? 320 : 400)

/** Heights over time: the chosen plants among the middle half of their siblings. */
export function GrowthCurves({ logs, chosen, by, unit, isUndated = false, onChoose, ...frame }: GrowthCurvesProps) {
  const rows = growthRows(logs, chosen)
  const draw = (look: Look) => growthOption(rows, chosen, by, unit, look)
  return (
    <PlotFrame
      {...frame}
      title="Growth curves"
      help={`Height by ${by} since germination. The shaded band holds the middle half of the siblings; the dashed line is their median.`}
      table={{ columns: growthColumns(by, unit, chosen), rows }}
      picture={() => chartPicture(draw, 1120, 560)}
      empty={
        isUndated
          ? {
              title: `No ${by}s to draw by`,
              description: 'Enter the germination date of the hunt under Edit, or a week in each log, and the curves begin here.',
            }
          : { title: 'Nothing measured yet', description: 'Log a height for two weeks, and the curves begin here.' }
      }
      height={heightOf(600)}
    >
      <Chart
        name={`Growth curves of ${chosen.length} ${chosen.length === 1 ? 'plant' : 'plants'} and the siblings' band`}
        draw={draw}
        heightOf={heightOf}
        pointsOf={(locate) => growthPoints(rows, chosen, by, unit, locate)}
        onChoose={onChoose}
      />
    </PlotFrame>
  )
}

function growthPoints(rows: readonly GrowthRow[], chosen: readonly GrowthPlant[], by: string, unit: string, locate: Locate): PlotPoint[] {
  return chosen.flatMap(({ plantId, name }, place) =>
    rows.flatMap((row): PlotPoint[] => {
      const height = row.heights[place]
      if (height === null || height === undefined) return []
      const facts: [string, string][] = [
        [by === 'week' ? 'Week' : 'Day', numberText(row.at)],
        ['Height', withUnit(numberText(height), unit)],
        ['Siblings', besideMedian(height, row.band.median, unit)],
      ]
      return [{ id: plantId, at: locate(row.at, height), title: name, facts }]
    }),
  )
}
