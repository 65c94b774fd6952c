import { Chart, chartPicture, type Locate, type PlotPoint } from './chart.tsx'
import { axisStyle, baseOption, type ChartOption, type CustomSeriesOption, type LineSeriesOption, symbolOf } from './chart-option.ts'
import { besideMedian, type GrowthPlant, type GrowthRow, growthColumns, growthRows, growthSeries, type HeightLog } from './growth-rows.ts'
import { colorsOf, css, type Look, markOf, mix } from './palette.ts'
import { PlotFrame, type PlotProps } from './plot-frame.tsx'
import { numberText, withUnit } from './plot-table.ts'

type GrowthCurvesProps = PlotProps & {
  logs: readonly HeightLog[]
  /** The plot is legible with up to six plants. They are drawn in this order. */
  chosen: readonly GrowthPlant[]
  /** Counted from germination, or from a clone's own start. */
  by: 'week' | 'day'
  unit: string
  isUndated?: boolean | undefined
  onChoose?: ((plantId: string) => void) | undefined
}

const heightOf = (width: number) => (width < 520 ? 320 : 400)

export function GrowthCurves({ logs, chosen, by, unit, isUndated = false, onChoose, ...frame }: GrowthCurvesProps) {
  const rows = growthRows(logs, chosen)
  const draw = (look: Look) => growthOption(rows, chosen, by, unit, look)
  return (
    <PlotFrame
      {...frame}
      title="Growth curves"
      help={`Height by ${by} since germination or, for clones, their own start. The shaded band covers the middle half of the siblings. The dashed line is their median.`}
      table={{ columns: growthColumns(by, unit, chosen), rows }}
      picture={() => chartPicture(draw, 1120, 560)}
      empty={
        isUndated
          ? {
              title: `Nothing to plot by ${by}`,
              description: 'Enter the hunt’s germination date under Edit, or a week in each log, to see growth curves.',
            }
          : { title: 'Nothing measured yet', description: `Log heights for at least two different ${by}s to see growth curves.` }
      }
      height={heightOf(600)}
    >
      <Chart
        name={`Growth curves of ${chosen.length} ${chosen.length === 1 ? 'plant' : 'plants'}, with the middle half of the siblings shaded`}
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

export function growthOption(
  rows: readonly GrowthRow[],
  chosen: readonly GrowthPlant[],
  by: 'week' | 'day',
  unit: string,
  look: Look,
): ChartOption {
  const { palette, font, width } = look
  const series = growthSeries(rows, chosen)
  const axis = axisStyle(look)
  const { muted } = colorsOf(palette)
  const label = { fontFamily: font, fontSize: 12, distance: 8, textBorderColor: css(palette.surface), textBorderWidth: 3 }
  const longest = Math.max(6, ...chosen.map(({ name }) => name.length))
  return {
    ...baseOption(look),
    grid: { left: 40, right: Math.min(width * 0.3, 22 + longest * 7.5), top: 34, bottom: 50, outerBoundsMode: 'none' },
    xAxis: {
      ...axis,
      type: 'value',
      min: 'dataMin',
      max: 'dataMax',
      minInterval: 1,
      splitLine: { show: false },
      axisLine: { ...axis.axisLine, show: true },
      axisTick: { ...axis.axisTick, show: true },
      axisLabel: { ...axis.axisLabel, formatter: (value: number) => numberText(value) },
      name: by === 'week' ? 'Week' : 'Day',
      nameLocation: 'middle',
      nameGap: 28,
    },
    yAxis: {
      ...axis,
      type: 'value',
      min: 0,
      axisLabel: { ...axis.axisLabel, formatter: (value: number) => numberText(value) },
      name: `Height, ${unit}`,
      nameLocation: 'end',
      nameGap: 12,
      nameTextStyle: { ...axis.nameTextStyle, align: 'left', padding: [0, 0, 0, -40] },
    },
    series: [
      bandSeries(series.band, look),
      {
        type: 'line',
        data: series.median,
        symbol: 'none',
        lineStyle: { color: muted, width: 1.5, type: [5, 4] },
        endLabel: { ...label, show: true, formatter: 'Median', color: muted },
        labelLayout: { moveOverlap: 'shiftY' },
        silent: true,
        z: 2,
      },
      ...series.lines.map(({ name, points }, nth): LineSeriesOption => {
        const { color, dash, shape } = markOf(palette, nth)
        return {
          type: 'line',
          data: points,
          symbol: symbolOf[shape],
          symbolSize: points.length > 40 ? 5 : 8,
          showAllSymbol: true,
          itemStyle: { color: css(color), borderColor: css(palette.surface), borderWidth: 1 },
          lineStyle: { color: css(color), width: 2.25, type: dash.length === 0 ? 'solid' : dash },
          endLabel: { ...label, show: true, formatter: () => name, color: css(color), fontWeight: 600 },
          labelLayout: { moveOverlap: 'shiftY' },
          silent: true,
          z: 3,
        }
      }),
    ],
  }
}

function bandSeries(band: readonly [number, number, number][], { palette }: Look): CustomSeriesOption {
  const fill = css(mix(palette.surface, palette.leaf, palette.isDark ? 0.2 : 0.13))
  const edge = css(mix(palette.surface, palette.leaf, 0.35))
  return {
    type: 'custom',
    silent: true,
    z: 1,
    data: band.length > 0 ? [[band[0]?.[0], band[0]?.[1]]] : [],
    renderItem: (_, api) => {
      const lower = band.map(([at, low]) => api.coord([at, low]))
      const upper = band.map(([at, , high]) => api.coord([at, high]))
      const edgeOf = (points: number[][]) => ({
        type: 'polyline' as const,
        shape: { points },
        style: { stroke: edge, lineWidth: 1, fill: 'none' },
      })
      return {
        type: 'group',
        children: [
          { type: 'polygon', shape: { points: [...lower, ...upper.toReversed()] }, style: { fill } },
          edgeOf(lower),
          edgeOf(upper),
        ],
      }
    },
    encode: { x: 0, y: 1 },
  }
}
