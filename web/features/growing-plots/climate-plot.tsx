import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Select } from '../../ui/select.tsx'
import { Chart, type Locate, type PlotPoint } from './chart.tsx'
import { type ClimateView, climateHeight, climateOption, climateWidth } from './climate-option.ts'
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
  shareInTarget,
} from './climate-rows.ts'
import { momentText, numberText, shareText, withUnit } from './format.ts'
import type { Look } from './palette.ts'
import { PlotFrame, type PlotProps } from './plot-frame.tsx'
import { chartPicture } from './use-chart.ts'

type ClimatePlotProps = PlotProps & {
  /** In the order of time; any number of them. */
  readings: readonly ClimateReading[]
  targets: readonly ClimateTarget[]
  /** Of the readings and the targets alike. */
  units: Record<ClimateMeasure, string>
  /** The room's (IANA). Without one the clock is the reader's own. */
  timeZone?: string | undefined
}

const day = 24 * 60 * 60 * 1000
const spans = [
  { name: 'Everything', length: null },
  { name: '4 weeks', length: 28 * day },
  { name: '7 days', length: 7 * day },
  { name: '24 hours', length: day },
]

/** The room over time: vapor pressure deficit, temperature and humidity, with their targets as bands. */
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
      help="Vapor pressure deficit, and the temperature and humidity it comes from. Shaded bands are the targets; a gap in a line is a silent sensor."
      table={{ columns: climateColumns(units, timeZone), rows }}
      picture={() => chartPicture(draw, 1200, climateHeight)}
      isEmpty={readings.length === 0}
      empty={{ title: 'Nothing measured yet', description: 'Import a sensor’s file or enter a reading, and the room appears here.' }}
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
            {range} · {numberText(rows.length)} readings
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

/** How much of the time each value was where it should be. */
function InTarget({ view: { readings, targets } }: { view: ClimateView }) {
  const shares = measures.flatMap((measure) => {
    const share = shareInTarget(readings, measure, targets)
    return share === null ? [] : [`${measureNames[measure]} ${shareText(share)}`]
  })
  if (shares.length === 0) return null
  return <p className="content-center sm:min-h-10 text-sm tabular-nums">In target: {shares.join(' · ')}</p>
}

/** The points that are drawn, each with all that was read at its time. */
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
