import { useQuery } from '@tanstack/react-query'
import { Download, Upload } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Climate } from '../../../contracts/climate.ts'
import { type GrowthStage, growthStages } from '../../../contracts/grow-logs.ts'
import type { Hunt } from '../../../contracts/hunts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { formatNumber } from '../../lib/format.ts'
import { unitName } from '../../lib/units.ts'
import { useUnits } from '../../lib/use-units.ts'
import { Button } from '../../ui/button.tsx'
import { buttonClass } from '../../ui/button-class.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx'
import { stageNames } from '../grow-logs/log-fields.ts'
import { UnitsSwitch } from '../grow-logs/units-switch.tsx'
import { climateOptions, targetsOptions } from './climate.api.ts'
import { plotBands, plotReadings } from './climate-plot-rows.ts'
import { ImportHistory } from './import-history.tsx'
import { TargetsCard } from './targets-card.tsx'

const ClimatePlot = lazy(() => import('../growing-plots/climate-plot.tsx').then((module) => ({ default: module.ClimatePlot })))
const ImportCard = lazy(() => import('./import-card.tsx').then((module) => ({ default: module.ImportCard })))

/** The rooms of a hunt: what sensors and people measured, what one aims at, and the files it came from. */
export function ClimateSection({ hunt }: { hunt: Pick<Hunt, 'id' | 'huntName' | 'access'> }) {
  const [sensorId, setSensorId] = useState<string>()
  const [isImporting, setImporting] = useState(false)
  const climate = useQuery(climateOptions(hunt.id, sensorId))
  const mayWrite = hunt.access !== 'view'
  if (climate.isPending) {
    return (
      <SkeletonGroup label="Loading the climate..." className="grid gap-5">
        <Skeleton className="h-12 w-64" />
        <Skeleton className="h-[32rem] w-full" />
      </SkeletonGroup>
    )
  }
  if (!climate.data) {
    return (
      <Card>
        <ErrorState
          title="The climate could not be loaded"
          description={messageOf(climate.error)}
          onRetry={() => void climate.refetch()}
          pending={climate.isFetching}
        />
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
            <a href={`/api/pheno-hunts/${hunt.id}/climate.csv`} download className={buttonClass('secondary', 'lg')}>
              <Download aria-hidden="true" />
              All readings (CSV)
            </a>
          )}
          {mayWrite && (
            <Button size="lg" aria-expanded={isImporting} onClick={() => setImporting(!isImporting)}>
              <Upload aria-hidden="true" />
              Import a sensor’s file
            </Button>
          )}
        </div>
      </div>
      {isImporting && (
        <Suspense fallback={<Skeleton className="h-48 w-full" />}>
          <ImportCard hunt={hunt} sensors={sensors} onClose={() => setImporting(false)} />
        </Suspense>
      )}
      <Plot hunt={hunt} climate={climate.data} />
      <TargetsCard hunt={hunt} mayWrite={mayWrite} />
      <ImportHistory hunt={hunt} mayWrite={mayWrite} />
      <p className="max-w-text text-muted text-sm">
        VPD is es(leaf) − RH × es(air), with es by the Magnus formula of Alduchov and Eskridge (1996). Where no leaf was measured it is
        taken to be 2 °C cooler than the air.
      </p>
    </div>
  )
}

/** "30 minutes", "2 hours" */
const lengthWords = (seconds: number): string => {
  const [count, name] = seconds < 3600 ? [seconds / 60, 'minute'] : seconds < 86_400 ? [seconds / 3600, 'hour'] : [seconds / 86_400, 'day']
  return count === 1 ? name : `${count} ${name}s`
}

function Plot({ hunt, climate }: { hunt: Pick<Hunt, 'id' | 'huntName'>; climate: Climate }) {
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
          readings={readings}
          targets={plotBands(targets, climate.stages, span, chosen, units)}
          units={{ vpd: 'kPa', temperature: unitName('temperature', units), humidity: '%' }}
        />
      </Suspense>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <p className="text-muted text-sm">
          {isByHand && 'Written down in logs; each stands at noon of its day.'}
          {climate.points.length > 0 &&
            climate.readingsCount > climate.points.length &&
            `${formatNumber(climate.readingsCount)} readings; each point is the mean of ${lengthWords(climate.bucketSeconds)}.`}
        </p>
        {stagesWithTargets.length > 0 && (
          <Field label="Targets of" className="w-60">
            <Select value={chosen ?? ''} onChange={({ target }) => setChosen(growthStages.find((stage) => stage === target.value) ?? null)}>
              <option value="">{climate.stages.length > 0 ? 'The stage at the time' : 'No stage known yet'}</option>
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
