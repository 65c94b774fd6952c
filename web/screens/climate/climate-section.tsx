import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, Radio, Upload } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { undoClimateImport } from '#contracts/calls/climate.ts'
import { growthStages } from '#contracts/choices.ts'
import type { Climate, ClimateImport, ClimateTarget } from '#contracts/climate.endpoints.ts'
import type { GrowthStage } from '#contracts/grow-logs.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { leafDifferenceText, stageNames } from '#web/entities/grow-logs/log-fields.ts'
import { UnitsSwitch } from '#web/entities/grow-logs/units-switch.tsx'
import type { ClimateTarget as Band, ClimateReading, ClimateMeasure as PlotMeasure } from '#web/entities/growing-plots/climate-rows.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { formatNumber } from '#web/lib/format.ts'
import { shown, type Units, unitName, useUnits } from '#web/lib/units.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Card, CardBody } from '#web/ui/card.tsx'
import { LoadError } from '#web/ui/error-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { MorePages } from '#web/ui/paged-list.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { climateOptions, importsOptions, refreshClimate, targetsOptions } from './climate.api.ts'
import { ConnectCard, LiveSensors } from './live-sensors.tsx'
import { TargetsCard } from './targets-card.tsx'

const ClimatePlot = lazy(() => import('#web/entities/growing-plots/climate-plot.tsx').then((module) => ({ default: module.ClimatePlot })))
const ImportCard = lazy(() => import('./import-card.tsx').then((module) => ({ default: module.ImportCard })))

export function ClimateSection({ hunt }: { hunt: Pick<Hunt, 'id' | 'huntName' | 'access'> }) {
  const [sensorId, setSensorId] = useState<string>()
  const [open, setOpen] = useState<'import' | 'connect' | null>(null)
  const climate = useQuery(climateOptions(hunt.id, sensorId))
  const units = useUnits()
  const mayWrite = hunt.access !== 'view'
  if (climate.isPending) {
    return (
      <SkeletonGroup label="Loading climate data..." className="grid gap-5">
        <Skeleton className="h-12 w-64" />
        <Skeleton className="h-[32rem] w-full" />
      </SkeletonGroup>
    )
  }
  if (!climate.data) {
    return (
      <Card>
        <LoadError title="The climate data couldn’t be loaded" query={climate} />
      </Card>
    )
  }
  const { sensors } = climate.data
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="flex flex-wrap items-end gap-3">
          <UnitsSwitch only="temperature" />
          {sensors.length > 1 && (
            <Field label="Sensor" className="w-48">
              <Select value={sensorId ?? ''} onChange={({ target }) => setSensorId(target.value || undefined)}>
                <option value="">All sensors</option>
                {sensors.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            </Field>
          )}
        </div>
        <div className="flex flex-wrap gap-3">
          {sensors.length > 0 && (
            <a
              href={`/api/pheno-hunts/${hunt.id}/climate.csv${sensorId ? `?sensorId=${sensorId}` : ''}`}
              download
              className={buttonClass('secondary', 'lg')}
            >
              <Download aria-hidden="true" />
              {sensorId ? 'Readings of this sensor (CSV)' : 'All readings (CSV)'}
            </a>
          )}
          {mayWrite && (
            <>
              <Button
                variant="secondary"
                size="lg"
                className="max-sm:w-full"
                aria-expanded={open === 'connect'}
                onClick={() => setOpen(open === 'connect' ? null : 'connect')}
              >
                <Radio aria-hidden="true" />
                Connect a sensor
              </Button>
              <Button
                size="lg"
                className="max-sm:w-full"
                aria-expanded={open === 'import'}
                onClick={() => setOpen(open === 'import' ? null : 'import')}
              >
                <Upload aria-hidden="true" />
                Import a sensor file
              </Button>
            </>
          )}
        </div>
      </div>
      {open === 'connect' && <ConnectCard hunt={hunt} sensors={sensors} onClose={() => setOpen(null)} />}
      {open === 'import' && (
        <Suspense fallback={<Skeleton className="h-48 w-full" />}>
          <ImportCard hunt={hunt} sensors={sensors} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      <LiveSensors hunt={hunt} sensors={sensors} mayWrite={mayWrite} />
      <Plot hunt={hunt} climate={climate.data} mayWrite={mayWrite} />
      <TargetsCard hunt={hunt} mayWrite={mayWrite} />
      <ImportHistory hunt={hunt} mayWrite={mayWrite} />
      <p className="max-w-text text-muted text-sm">
        VPD is es(leaf) − RH × es(air), where es follows the Magnus formula of Alduchov and Eskridge (1996). If no leaf temperature was
        measured, we assume {leafDifferenceText(units)} below the air.
      </p>
    </div>
  )
}

/** "a minute", "30 minutes", "2 hours" */
const lengthWords = (seconds: number): string => {
  const [count, name] = seconds < 3600 ? [seconds / 60, 'minute'] : seconds < 86_400 ? [seconds / 3600, 'hour'] : [seconds / 86_400, 'day']
  if (count === 1) return name === 'hour' ? 'an hour' : `a ${name}`
  return `${count} ${name}s`
}

function Plot({ hunt, climate, mayWrite }: { hunt: Pick<Hunt, 'id' | 'huntName'>; climate: Climate; mayWrite: boolean }) {
  const units = useUnits()
  const targets = useQuery(targetsOptions(hunt.id)).data ?? []
  const [chosen, setChosen] = useState<GrowthStage | null>(null)
  const readings = plotReadings(climate, units)
  const span = { from: readings[0]?.at ?? 0, to: readings.at(-1)?.at ?? 0 }
  const stagesWithTargets = growthStages.filter((stage) => targets.some((target) => target.stage === stage))
  const isByHand = climate.points.length === 0 && readings.length > 0
  return (
    <div className="grid gap-3">
      <Suspense fallback={<Skeleton className="h-[32rem] w-full" />}>
        <ClimatePlot
          huntName={hunt.huntName}
          level={2}
          emptyAction={
            mayWrite && (
              <Link to="/pheno-hunt" search={{ tab: 'logs', hunt: hunt.id }} className={buttonClass('secondary', 'lg')}>
                Enter a reading in Quick Log
              </Link>
            )
          }
          readings={readings}
          targets={plotBands(targets, climate.stages, span, chosen, units)}
          units={{ vpd: 'kPa', temperature: unitName('temperature', units), humidity: '%' }}
        />
      </Suspense>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <p className="text-muted text-sm">
          {isByHand && 'From grow logs. Each day’s point is at noon.'}
          {climate.points.length > 0 &&
            climate.readingsCount > climate.points.length &&
            `${formatNumber(climate.readingsCount)} readings. Each point is the mean of ${lengthWords(climate.bucketSeconds)}.`}
        </p>
        {stagesWithTargets.length > 0 && (
          <Field label="Targets for" className="w-60">
            <Select value={chosen ?? ''} onChange={({ target }) => setChosen(growthStages.find((stage) => stage === target.value) ?? null)}>
              <option value="">{climate.stages.length > 0 ? 'The stage at each point in time' : 'No stage yet'}</option>
              {stagesWithTargets.map((stage) => (
                <option key={stage} value={stage}>
                  {stageNames[stage]}
                </option>
              ))}
            </Select>
          </Field>
        )}
      </div>
    </div>
  )
}

function ImportHistory({ hunt, mayWrite }: { hunt: Pick<Hunt, 'id'>; mayWrite: boolean }) {
  const list = useInfiniteQuery(importsOptions(hunt.id))
  const undo = useMutation({
    mutationFn: ({ id }: ClimateImport) => call(undoClimateImport, { params: { id } }),
    onSuccess: async (_, { fileName }) => {
      await refreshClimate()
      toast({ title: 'Import undone', description: `The readings added by “${fileName}” were removed.` })
    },
    onError: (error) => toast({ title: 'The import couldn’t be undone', description: messageOf(error), variant: 'destructive' }),
  })
  const imports = list.data?.pages.flatMap(({ items }) => items) ?? []
  if (imports.length === 0) return null
  return (
    <Card asChild>
      <section aria-labelledby="climate-imports">
        <CardBody className="grid gap-3">
          <h2 id="climate-imports" className="text-xl">
            Files and live readings
          </h2>
          <ul className="grid">
            {imports.map((each) => (
              <li
                key={each.id}
                className="flex flex-wrap items-center justify-between gap-3 border-line border-b py-3 last:border-0 last:pb-0"
              >
                <div className="min-w-0">
                  <p className="truncate font-medium">{each.fileName}</p>
                  <p className="text-muted text-sm">
                    {each.sensor.name} · {each.readingsCount === 1 ? '1 reading' : `${formatNumber(each.readingsCount)} readings`} ·{' '}
                    {each.timeZone} · <Ago at={each.createdAt} />
                    {each.importedBy && ` · ${each.importedBy.name}`}
                  </p>
                </div>
                {mayWrite && (
                  <Button
                    variant="secondary"
                    size="lg"
                    pending={undo.isPending && undo.variables.id === each.id}
                    onClick={() => undo.mutate(each)}
                    aria-label={`Undo the import of ${each.fileName}`}
                  >
                    Undo
                  </Button>
                )}
              </li>
            ))}
          </ul>
          <MorePages list={list} />
        </CardBody>
      </section>
    </Card>
  )
}

const plotMeasures: Partial<Record<ClimateTarget['measure'], PlotMeasure>> = {
  airCelsius: 'temperature',
  humidityPercent: 'humidity',
  vpdKpa: 'vpd',
}

const bandId = ({ stage, measure }: Pick<ClimateTarget, 'stage' | 'measure'>) => `${stage} ${measure}`

const rounded = (value: number) => Math.round(value * 100) / 100

/** Returns bucket means or, without any sensor data, manual entries placed at noon on their day. */
export function plotReadings({ points, targets, logs }: Pick<Climate, 'points' | 'targets' | 'logs'>, units: Units): ClimateReading[] {
  const measured = points.map(({ at, readingsCount, airCelsius, humidityPercent, vpdKpa, inTarget }) => ({
    at: Date.parse(at),
    temperature: airCelsius && shown(rounded(airCelsius.mean), 'temperature', units),
    humidity: humidityPercent && rounded(humidityPercent.mean),
    vpd: vpdKpa && rounded(vpdKpa.mean),
    // Offline copies from an earlier version of the app have no targets.
    mean: targets && {
      readings: readingsCount,
      inTarget: Object.fromEntries(targets.map((target, nth) => [bandId(target), inTarget[nth] ?? 0])),
    },
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

/** A target's band covers its stage. If a stage is chosen, its targets apply throughout. */
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
    : begins.map((begin, nth) => ({ ...begin, to: (begins[nth + 1]?.from ?? Math.max(span.to, begin.from) + 1) - 1 }))
  return spans.flatMap(({ stage, from, to }) =>
    targets.flatMap((target): Band[] => {
      const measure = plotMeasures[target.measure]
      if (!measure || target.stage !== stage || to <= from) return []
      const inUnits = (value: number) => (measure === 'temperature' ? shown(value, 'temperature', units) : value)
      return [{ id: bandId(target), measure, from, to, low: inUnits(target.low), high: inUnits(target.high), name: stageNames[stage] }]
    }),
  )
}
