import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { dayMs } from '#contracts/time.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { Chart, chartPicture, type Locate, type PlotPoint } from './chart.tsx'
import { axisStyle, baseOption, type ChartOption, type CustomSeriesOption } from './chart-option.ts'
import {
  type ClimateMeasure,
  type ClimateReading,
  type ClimateTarget,
  climateColumns,
  climatePoints,
  indexAt,
  measureNames,
  measures,
  readingsBetween,
  roundRange,
  shareInTarget,
  tickOptions,
  timeTicks,
} from './climate-rows.ts'
import { css, type Look, mix } from './palette.ts'
import { PlotFrame, type PlotProps } from './plot-frame.tsx'
import { momentText, numberText, shareText, withUnit } from './plot-table.ts'

type ClimatePlotProps = PlotProps & {
  /** In chronological order. */
  readings: readonly ClimateReading[]
  targets: readonly ClimateTarget[]
  units: Record<ClimateMeasure, string>
  /** The room's IANA time zone. Defaults to the viewer's. */
  timeZone?: string | undefined
}

const spans = [
  { name: 'Everything', length: null },
  { name: '4 weeks', length: 28 * dayMs },
  { name: '7 days', length: 7 * dayMs },
  { name: '24 hours', length: dayMs },
]

export function ClimatePlot({ readings, targets, units, timeZone, ...frame }: ClimatePlotProps) {
  const [span, setSpan] = useState(0)
  const [back, setBack] = useState(0)
  const first = readings[0]?.at ?? 0
  const last = readings.at(-1)?.at ?? 0
  const length = spans[span]?.length ?? null
  const to = length === null ? last : last - back * length
  const from = length === null ? first : to - length
  const rows = length === null ? readings : readingsBetween(readings, from, to)
  const view: ClimateView = { readings: rows, targets, units, from, to, timeZone }
  const draw = (look: Look) => climateOption(view, look)
  const range = `${momentText(from, timeZone, { month: 'short', day: 'numeric' })} to ${momentText(to, timeZone, { month: 'short', day: 'numeric', year: 'numeric' })}`
  return (
    <PlotFrame
      {...frame}
      title="Climate"
      help="Vapor pressure deficit, with temperature and humidity. Shaded bands are the targets. A gap in a line means the sensor sent no data."
      table={{ columns: climateColumns(units, timeZone), rows }}
      picture={() => chartPicture(draw, 1200, climateHeight)}
      isEmpty={readings.length === 0}
      empty={{ title: 'Nothing measured yet', description: 'Readings from sensors and grow logs are shown here.' }}
      height={climateHeight}
      controls={
        <>
          <Field label="Span" className="w-36">
            <Select
              value={span}
              onChange={(event) => {
                setSpan(Number(event.target.value))
                setBack(0)
              }}
            >
              {spans.map(({ name }, nth) => (
                <option key={name} value={nth}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
          {length !== null && (
            <div className="flex items-center gap-1">
              <IconButton label="Earlier" variant="outline" disabled={from <= first} onClick={() => setBack(back + 1)}>
                <ChevronLeft aria-hidden="true" />
              </IconButton>
              <IconButton label="Later" variant="outline" disabled={back === 0} onClick={() => setBack(back - 1)}>
                <ChevronRight aria-hidden="true" />
              </IconButton>
            </div>
          )}
          <p aria-live="polite" className="content-center sm:min-h-10 text-muted text-sm tabular-nums">
            {range} · {numberText(rows.reduce((sum, { mean }) => sum + (mean?.readings ?? 1), 0))} readings
          </p>
          <InTarget view={view} />
        </>
      }
    >
      <Chart
        name={`Climate from ${range}`}
        draw={draw}
        heightOf={() => climateHeight}
        pointsOf={(locate, look) => climateReadPoints(view, locate, look)}
        reach={40}
      />
    </PlotFrame>
  )
}

function InTarget({ view: { readings, targets } }: { view: ClimateView }) {
  const shares = measures.flatMap((measure) => {
    const share = shareInTarget(readings, measure, targets)
    return share === null ? [] : [`${measureNames[measure]} ${shareText(share)}`]
  })
  if (shares.length === 0) return null
  return <p className="content-center sm:min-h-10 text-sm tabular-nums">In target: {shares.join(' · ')}</p>
}

function climateReadPoints(view: ClimateView, locate: Locate, look: Look): PlotPoint[] {
  const { readings, units, timeZone } = view
  return measures.flatMap((measure, index) =>
    climatePoints(readings, measure, climateWidth(look)).flatMap(([at, value]): PlotPoint[] => {
      const reading = readings[indexAt(readings, at)]
      if (value === null || !reading) return []
      return [
        {
          id: String(at),
          at: locate(at, value, index),
          title: momentText(at, timeZone),
          facts: measures.flatMap((each) => {
            const of = reading[each]
            return of === null ? [] : [[measureNames[each], withUnit(numberText(of), units[each])] as const]
          }),
        },
      ]
    }),
  )
}

const topOf = { vpd: 30, temperature: 258, humidity: 402 }
const heights = { vpd: 168, temperature: 88, humidity: 88 }
const climateHeight = 402 + 88 + 30
const left = 40
const right = 14

/** In pixels. */
const climateWidth = ({ width }: Pick<Look, 'width'>): number => width - left - right

type ClimateView = {
  readings: readonly ClimateReading[]
  targets: readonly ClimateTarget[]
  units: Record<ClimateMeasure, string>
  from: number
  to: number
  timeZone: string | undefined
}

/** VPD gets a large plot, and temperature and humidity get smaller ones on the same time axis. Bands show targets. */
function climateOption({ readings, targets, units, from, to, timeZone }: ClimateView, look: Look): ChartOption {
  const { palette, width } = look
  const axis = axisStyle(look)
  const { ticks, step } = timeTicks(from, to, Math.max(2, Math.floor(width / 96)), timeZone)
  const color = { vpd: palette.leaf, temperature: palette.clay, humidity: palette['plot-sky'] }
  return {
    ...baseOption(look),
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
