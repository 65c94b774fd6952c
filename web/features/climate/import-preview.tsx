import { useId } from 'react'
import { vaporPressureDeficit } from '../../../agronomy/vpd.ts'
import { dateFormat, formatNumber } from '../../lib/format.ts'
import { shown, unitName } from '../../lib/units.ts'
import { useUnits } from '../../lib/use-units.ts'
import type { ReadResult } from './sensor-readings.ts'

const previewed = 5
const mostProblems = 50

/** The first readings as they will be stored, and all that is not as one might think. */
export function ImportPreview({ result, timeZone }: { result: ReadResult; timeZone: string }) {
  const id = useId()
  const units = useUnits()
  const { readings, problems, skipped, repeated, hasLocalTimes } = result
  const clock = dateFormat({ dateStyle: 'medium', timeStyle: 'short', timeZone })
  const total = readings.at.length
  return (
    <div className="grid gap-4">
      {total > 0 && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {/* Not the table's caption: on a phone that would be as wide as the table, and its end out of view. */}
          <p id={id} className="font-medium text-sm tabular-nums">
            {formatNumber(total)} readings, from {clock.format((readings.at[0] ?? 0) * 1000)} to{' '}
            {clock.format((readings.at.at(-1) ?? 0) * 1000)}
          </p>
          <div className="overflow-x-auto">
            <table aria-labelledby={id} className="w-full text-left text-sm tabular-nums">
              <thead>
                <tr className="border-line border-b text-muted">
                  {[
                    `Time (${timeZone})`,
                    `Air (${unitName('temperature', units)})`,
                    'Humidity (%)',
                    `Leaf (${unitName('temperature', units)})`,
                    'CO₂ (ppm)',
                    'VPD (kPa)',
                  ].map((name) => (
                    <th key={name} scope="col" className="px-2 py-2 font-medium first:pl-0">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {readings.at.slice(0, previewed).map((at, nth) => {
                  const [air, humidity, leaf] = [
                    readings.airCelsius[nth] ?? 0,
                    readings.humidityPercent[nth] ?? 0,
                    readings.leafCelsius[nth] ?? null,
                  ]
                  return (
                    // biome-ignore lint/suspicious/noArrayIndexKey: two readings may be of one second
                    <tr key={nth} className="border-line border-b last:border-0">
                      <td className="px-2 py-2 pl-0 whitespace-nowrap">{clock.format(at * 1000)}</td>
                      <td className="px-2 py-2">{shown(air, 'temperature', units)}</td>
                      <td className="px-2 py-2">{humidity}</td>
                      <td className="px-2 py-2">{leaf === null ? '' : shown(leaf, 'temperature', units)}</td>
                      <td className="px-2 py-2">{readings.co2Ppm[nth] ?? ''}</td>
                      <td className="px-2 py-2">{vaporPressureDeficit(air, humidity, leaf)?.toFixed(2)}</td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </div>
        </div>
      )}
      <ul className="grid gap-1 text-sm">
        {hasLocalTimes && <li>Its times name no zone: they are taken as those of {timeZone}.</li>}
        {repeated > 0 && (
          <li>
            {formatNumber(repeated)} readings are in an hour that came twice, when clocks were set back; their order says which of the two
            it was.
          </li>
        )}
        {skipped > 0 && (
          <li>
            {formatNumber(skipped)} readings are at times that no clock showed, as clocks were set forward; they are taken as if the
            sensor’s clock had not been.
          </li>
        )}
      </ul>
      {problems.length > 0 && (
        <details className="rounded-input border border-line px-4 py-3">
          <summary className="cursor-pointer font-medium">
            {problems.length === 1 ? '1 line is left out' : `${formatNumber(problems.length)} lines are left out`}
          </summary>
          <ul className="mt-2 grid gap-1 text-sm">
            {problems.slice(0, mostProblems).map(({ line, message }) => (
              <li key={line}>
                Line {line}: {message}
              </li>
            ))}
            {problems.length > mostProblems && <li>… and {formatNumber(problems.length - mostProblems)} more.</li>}
          </ul>
        </details>
      )}
    </div>
  )
}
