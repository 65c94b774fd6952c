import { axisStyle, type ChartOption, type CustomSeriesOption, type LineSeriesOption, still, symbolOf } from './chart-option.ts'
import { numberText } from './format.ts'
import { type GrowthPlant, type GrowthRow, growthSeries } from './growth-rows.ts'
import { colorsOf, css, type Look, markOf, mix } from './palette.ts'

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
    ...still(look),
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
      name: by === 'week' ? 'Week since germination' : 'Day since germination',
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

/** The band as one shape, and its edges as hairlines. */
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
