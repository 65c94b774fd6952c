import type { Climate, ClimateTarget } from '#contracts/climate.endpoints.ts'
import type { GrowthStage } from '#contracts/grow-logs.ts'
import { stageNames } from '#web/entities/grow-logs/log-fields.ts'
import type { ClimateTarget as Band, ClimateReading, ClimateMeasure as PlotMeasure } from '#web/entities/growing-plots/climate-rows.ts'
import { shown, type Units } from '#web/lib/units.ts'

const plotMeasures: Partial<Record<ClimateTarget['measure'], PlotMeasure>> = {
  airCelsius: 'temperature',
  humidityPercent: 'humidity',
  vpdKpa: 'vpd',
}

const rounded = (value: number) => Math.round(value * 100) / 100

/** Bucket means or, without any sensor data, manual entries placed at noon of their day. */
export function plotReadings({ points, logs }: Pick<Climate, 'points' | 'logs'>, units: Units): ClimateReading[] {
  const measured = points.map(({ at, airCelsius, humidityPercent, vpdKpa }) => ({
    at: Date.parse(at),
    temperature: airCelsius && shown(rounded(airCelsius.mean), 'temperature', units),
    humidity: humidityPercent && rounded(humidityPercent.mean),
    vpd: vpdKpa && rounded(vpdKpa.mean),
  }))
  if (measured.length > 0) return measured
  return logs
    .filter(({ airCelsius, humidityPercent }) => airCelsius !== null || humidityPercent !== null)
    .map(({ on, airCelsius, humidityPercent, vpdKpa }) => ({
      at: new Date(`${on}T12:00:00`).getTime(),
      temperature: airCelsius === null ? null : shown(airCelsius, 'temperature', units),
      humidity: humidityPercent,
      vpd: vpdKpa === null ? null : rounded(vpdKpa),
    }))
}

/** Targets as bands for the duration of each stage. If no stage is known, the chosen one applies throughout. */
export function plotBands(
  targets: readonly ClimateTarget[],
  stages: Climate['stages'],
  span: { from: number; to: number },
  chosen: GrowthStage | null,
  units: Units,
): Band[] {
  const begins = stages.map(({ stage, from }) => ({ stage, from: new Date(`${from}T00:00:00`).getTime() }))
  const spans = chosen
    ? [{ stage: chosen, ...span }]
    : begins.map((begin, nth) => ({ ...begin, to: begins[nth + 1]?.from ?? Math.max(span.to, begin.from) }))
  return spans.flatMap(({ stage, from, to }) =>
    targets.flatMap((target): Band[] => {
      const measure = plotMeasures[target.measure]
      if (!measure || target.stage !== stage || to <= from) return []
      const inUnits = (value: number) => (measure === 'temperature' ? shown(value, 'temperature', units) : value)
      return [{ measure, from, to, low: inUnits(target.low), high: inUnits(target.high), name: stageNames[stage] }]
    }),
  )
}
