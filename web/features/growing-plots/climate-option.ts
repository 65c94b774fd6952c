import { axisStyle, type ChartOption, type CustomSeriesOption, still } from './chart-option.ts'
import { type ClimateMeasure, type ClimateReading, type ClimateTarget, climatePoints, measureNames, measures } from './climate-rows.ts'
import { momentText, numberText } from './format.ts'
import { css, type Look, mix } from './palette.ts'
import { roundRange } from './round-range.ts'
import { tickOptions, timeTicks } from './time-ticks.ts'

const topOf = { vpd: 30, temperature: 258, humidity: 402 }
const heights = { vpd: 168, temperature: 88, humidity: 88 }
export const climateHeight = 402 + 88 + 30
const left = 40
const right = 14

/** The pixels that readings are spread over. */
export const climateWidth = ({ width }: Pick<Look, 'width'>): number => width - left - right

export type ClimateView = {
  readings: readonly ClimateReading[]
  targets: readonly ClimateTarget[]
  units: Record<ClimateMeasure, string>
  from: number
  to: number
  timeZone: string | undefined
}

/** Three plots over one time: the deficit large, what it comes from below. Bands are the targets. */
export function climateOption({ readings, targets, units, from, to, timeZone }: ClimateView, look: Look): ChartOption {
  const { palette, width } = look
  const axis = axisStyle(look)
  const { ticks, step } = timeTicks(from, to, Math.max(2, Math.floor(width / 96)), timeZone)
  const color = { vpd: palette.leaf, temperature: palette.clay, humidity: palette['plot-sky'] }
  return {
    ...still(look),
    grid: measures.map((measure) => ({ left, right, top: topOf[measure], height: heights[measure], outerBoundsMode: 'none' })),
    xAxis: measures.map((measure, gridIndex) => ({
      ...axis,
      type: 'value' as const,
      gridIndex,
      min: from,
      max: to,
      axisLine: { ...axis.axisLine, show: true, onZero: false },
      axisTick: { ...axis.axisTick, show: measure === 'humidity', customValues: ticks },
      splitLine: { show: false },
      axisLabel: {
        ...axis.axisLabel,
        show: measure === 'humidity',
        customValues: ticks,
        formatter: (at: number) => momentText(at, timeZone, tickOptions(step)),
      },
    })),
    yAxis: measures.map((measure, gridIndex) => ({
      ...axis,
      type: 'value' as const,
      gridIndex,
      ...rangeOf(readings, targets, measure),
      axisLabel: { ...axis.axisLabel, formatter: (value: number) => numberText(value) },
      name: `{name|${measureNames[measure]}}  ${units[measure]}`,
      nameLocation: 'end' as const,
      nameGap: 10,
      nameTextStyle: {
        ...axis.nameTextStyle,
        align: 'left' as const,
        padding: [0, 0, 0, -left],
        rich: { name: { color: css(palette.ink), fontSize: 13, fontWeight: 590, fontFamily: look.font } },
      },
    })),
    series: measures.flatMap((measure, index) => [
      bands(
        targets.filter((target) => target.measure === measure),
        index,
        from,
        to,
        look,
      ),
      {
        type: 'line' as const,
        xAxisIndex: index,
        yAxisIndex: index,
        data: climatePoints(readings, measure, climateWidth(look)),
        showSymbol: readings.length <= 60,
        symbolSize: 5,
        connectNulls: false,
        silent: true,
        itemStyle: { color: css(color[measure]) },
        lineStyle: { color: css(color[measure]), width: readings.length > 2000 ? 1 : 1.75 },
        z: 3,
      },
    ]),
  }
}

/** Bands belong to the plot: an axis reaches over them as it does over the readings. */
function rangeOf(readings: readonly ClimateReading[], targets: readonly ClimateTarget[], measure: ClimateMeasure) {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const reading of readings) {
    const value = reading[measure]
    if (value === null) continue
    if (value < min) min = value
    if (value > max) max = value
  }
  for (const target of targets) {
    if (target.measure !== measure) continue
    min = Math.min(min, target.low)
    max = Math.max(max, target.high)
  }
  return min > max ? {} : roundRange(min, max, measure === 'vpd' ? 4 : 3)
}

function bands(targets: readonly ClimateTarget[], index: number, from: number, to: number, { palette, font }: Look): CustomSeriesOption {
  const fill = css(mix(palette.surface, palette.leaf, palette.isDark ? 0.24 : 0.15))
  const edge = css(mix(palette.surface, palette.leaf, 0.5))
  return {
    type: 'custom',
    xAxisIndex: index,
    yAxisIndex: index,
    silent: true,
    clip: true,
    z: 1,
    data: targets.map(({ from: start, low }) => [Math.max(from, start), low]),
    renderItem: (params, api) => {
      const target = targets[params.dataIndex]
      if (!target || target.to < from || target.from > to) return null
      const [x1 = 0, y1 = 0] = api.coord([Math.max(from, target.from), target.high])
      const [x2 = 0, y2 = 0] = api.coord([Math.min(to, target.to), target.low])
      const line = (y: number) => ({
        type: 'line' as const,
        shape: { x1, y1: y, x2, y2: y },
        style: { stroke: edge, lineWidth: 1, lineDash: [4, 3] },
      })
      return {
        type: 'group',
        children: [
          { type: 'rect', shape: { x: x1, y: y1, width: x2 - x1, height: y2 - y1 }, style: { fill } },
          line(y1),
          line(y2),
          ...(target.name && x2 - x1 > target.name.length * 7 + 12
            ? [
                {
                  type: 'text' as const,
                  style: { text: target.name, x: x1 + 6, y: y1 + 4, fill: css(palette.muted), font: `11.5px ${font}` },
                },
              ]
            : []),
        ],
      }
    },
  }
}
