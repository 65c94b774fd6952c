import { useMutation, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { removeClimateTarget, setClimateTarget } from '#contracts/calls/climate.ts'
import { growthStages } from '#contracts/choices.ts'
import type { ClimateMeasure, ClimateTarget } from '#contracts/climate.endpoints.ts'
import type { GrowthStage } from '#contracts/grow-logs.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { stageNames, usualHint } from '#web/entities/grow-logs/log-fields.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { type Measure, shown, stored, typedNumber, type Units, unitName, useUnits } from '#web/lib/units.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { cacheTargets, targetsOptions } from './climate.api.ts'

const measureNames: Record<ClimateMeasure, string> = {
  vpdKpa: 'VPD',
  airCelsius: 'Air',
  humidityPercent: 'Humidity',
  leafCelsius: 'Leaf',
  co2Ppm: 'CO₂',
}
const measures = Object.keys(measureNames) as ClimateMeasure[]

const kindOf = (measure: ClimateMeasure): Measure => (measure === 'airCelsius' || measure === 'leafCelsius' ? 'temperature' : 'plain')
const unitOf = (measure: ClimateMeasure, units: Units): string =>
  kindOf(measure) === 'temperature'
    ? unitName('temperature', units)
    : { vpdKpa: 'kPa', humidityPercent: '%', co2Ppm: 'ppm' }[measure as 'vpdKpa']

export function TargetsCard({ hunt, mayWrite }: { hunt: Pick<Hunt, 'id'>; mayWrite: boolean }) {
  const units = useUnits()
  const targets = useQuery(targetsOptions(hunt.id))
  const remove = useMutation({
    mutationFn: ({ stage, measure }: ClimateTarget) => call(removeClimateTarget, { params: { id: hunt.id, stage, measure } }),
    onSuccess: (all) => cacheTargets(hunt.id, all),
    onError: (error) => toast({ title: 'The target couldn’t be removed', description: messageOf(error), variant: 'destructive' }),
  })
  const all = targets.data ?? []
  if (!mayWrite && all.length === 0) return null
  return (
    <Card asChild>
      <section aria-labelledby="climate-targets">
        <CardBody className="grid gap-4">
          <div className="grid gap-1">
            <h2 id="climate-targets" className="text-xl">
              Targets
            </h2>
            <p className="text-muted text-sm">
              Bands on the plot, by stage. Set your own. Usual ranges are only a starting point, and sources disagree.
            </p>
          </div>
          {all.length > 0 && (
            <ul className="flex flex-wrap gap-2">
              {all.map((target) => {
                const { stage, measure, low, high } = target
                const figure = (value: number) => shown(value, kindOf(measure), units)
                const words = `${stageNames[stage]}, ${measureNames[measure]} ${figure(low)}–${figure(high)} ${unitOf(measure, units)}`
                return (
                  <li
                    key={`${stage} ${measure}`}
                    className="flex min-h-12 items-center gap-1 rounded-full border border-line pr-1 pl-4 tabular-nums"
                  >
                    {words}
                    {mayWrite && (
                      <IconButton label={`Remove the target ${words}`} onClick={() => remove.mutate(target)}>
                        <X aria-hidden="true" />
                      </IconButton>
                    )}
                  </li>
                )
              })}
            </ul>
          )}
          {mayWrite && <TargetForm huntId={hunt.id} onSaved={(all) => cacheTargets(hunt.id, all)} />}
        </CardBody>
      </section>
    </Card>
  )
}

function TargetForm({ huntId, onSaved }: { huntId: string; onSaved: (all: ClimateTarget[]) => void }) {
  const units = useUnits()
  const [stage, setStage] = useState<GrowthStage>('flower')
  const [measure, setMeasure] = useState<ClimateMeasure>('vpdKpa')
  const [texts, setTexts] = useState({ low: '', high: '' })
  const [error, setError] = useState<string>()
  const save = useMutation({
    mutationFn: (body: { low: number; high: number }) => call(setClimateTarget, { params: { id: huntId, stage, measure }, body }),
    onSuccess: (all) => {
      onSaved(all)
      setTexts({ low: '', high: '' })
    },
    onError: (failure) => setError(messageOf(failure)),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    const [low, high] = [typedNumber(texts.low), typedNumber(texts.high)]
    if (low === null || high === null || Number.isNaN(low) || Number.isNaN(high)) return setError('Enter both From and To')
    if (low > high) return setError('To can’t be lower than From')
    setError(undefined)
    const kind = kindOf(measure)
    save.mutate({ low: stored(low, kind, units), high: stored(high, kind, units) })
  }

  const unit = unitOf(measure, units)
  return (
    <form onSubmit={submit} className="grid gap-3" noValidate>
      <div className="flex flex-wrap items-end gap-3">
        <Field label="Stage" className="w-40">
          <Select value={stage} onChange={({ target }) => setStage(growthStages.find((each) => each === target.value) ?? stage)}>
            {growthStages.map((each) => (
              <option key={each} value={each}>
                {stageNames[each]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Value" className="w-36">
          <Select value={measure} onChange={({ target }) => setMeasure(measures.find((each) => each === target.value) ?? measure)}>
            {measures.map((each) => (
              <option key={each} value={each}>
                {measureNames[each]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={`From (${unit})`} className="w-28">
          <Input inputMode="decimal" value={texts.low} onChange={({ target }) => setTexts({ ...texts, low: target.value })} />
        </Field>
        <Field label={`To (${unit})`} className="w-28">
          <Input inputMode="decimal" value={texts.high} onChange={({ target }) => setTexts({ ...texts, high: target.value })} />
        </Field>
        <Button type="submit" size="lg" pending={save.isPending}>
          Set target
        </Button>
      </div>
      <p className="min-h-5 text-muted text-sm">{usualHint(measure, stage, kindOf(measure), units)}</p>
      {error && (
        <p role="alert" className="font-medium text-clay text-sm">
          {error}
        </p>
      )}
    </form>
  )
}
