import { useMutation, useQuery } from '@tanstack/react-query'
import { Radio } from 'lucide-react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { createSensorKey, revokeSensorKey } from '#contracts/calls/climate.ts'
import type { ClimateSensor, SensorKey } from '#contracts/climate.endpoints.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { maxReadingsOfHunt, maxSentReadings } from '#contracts/limits.ts'
import { minuteMs } from '#contracts/time.ts'
import { runsOptions } from '#web/entities/plants/plants.api.ts'
import { fieldErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { formatNumber } from '#web/lib/format.ts'
import { shown, unitName, useUnits } from '#web/lib/units.ts'
import { Ago, useNow } from '#web/ui/ago.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { CopyButton, SecretOnce } from '#web/ui/copy-text.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { textLink } from '#web/ui/link-styles.ts'
import { toast } from '#web/ui/toast-store.ts'
import { refreshClimate, sensorKeysOptions } from './climate.api.ts'

/** In milliseconds. By then, a sensor that reports every minute has missed many readings. */
const silentMs = 30 * minuteMs

type Props = { hunt: Pick<Hunt, 'id'>; sensors: readonly ClimateSensor[]; mayWrite: boolean }

export function LiveSensors({ hunt, sensors, mayWrite }: Props) {
  const keys = useQuery({ ...sensorKeysOptions(hunt.id), enabled: mayWrite })
  const live = sensors.filter(({ isLive }) => isLive)
  if (live.length === 0) return null
  return (
    <Card asChild>
      <section aria-labelledby="live-sensors">
        <CardBody className="grid gap-3">
          <div className="grid gap-1">
            <h2 id="live-sensors" className="text-xl">
              Live sensors
            </h2>
            <p className="text-muted text-sm">This page checks for new readings every minute.</p>
          </div>
          <ul className="grid">
            {live.map((sensor) => (
              <LiveSensor key={sensor.id} sensor={sensor} entry={keys.data?.find((key) => key.sensor.id === sensor.id)} />
            ))}
          </ul>
          {mayWrite && <ReadingsLeft readings={sensors.reduce((sum, { readingsCount }) => sum + readingsCount, 0)} />}
        </CardBody>
      </section>
    </Card>
  )
}

/** Hubs don't show that their readings are refused, so this warns ahead of time. */
const ReadingsLeft = ({ readings }: { readings: number }) =>
  readings < maxReadingsOfHunt * 0.9 ? null : (
    <p role="status" className="font-medium text-clay">
      {readings >= maxReadingsOfHunt - maxSentReadings
        ? `This hunt has ${formatNumber(readings)} of at most ${formatNumber(maxReadingsOfHunt)} readings, so new ones may be rejected.`
        : `This hunt has ${formatNumber(readings)} of at most ${formatNumber(maxReadingsOfHunt)} readings. Once it reaches the limit, new ones will be rejected.`}{' '}
      To free up space, undo an import you no longer need.
    </p>
  )

/** `entry` is the room's key, which only people who may edit the hunt can see. */
function LiveSensor({ sensor: { name, last, lastAt }, entry }: { sensor: ClimateSensor; entry: SensorKey | undefined }) {
  const units = useUnits()
  const now = useNow()
  const isSilent = lastAt !== null && now - Date.parse(lastAt) > silentMs
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-b py-3 last:border-0 last:pb-0">
      <div className="grid min-w-0 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
          {name}
          {isSilent && <Badge variant="clay">No recent data</Badge>}
        </p>
        {last && lastAt ? (
          <p className="flex flex-wrap gap-x-3 tabular-nums">
            <span>
              {shown(last.airCelsius, 'temperature', units)} {unitName('temperature', units)} ·{' '}
              {formatNumber(Math.round(last.humidityPercent * 10) / 10)}% · VPD {last.vpdKpa.toFixed(2)} kPa
              {last.co2Ppm !== null && ` · CO₂ ${formatNumber(Math.round(last.co2Ppm))} ppm`}
            </span>
            <Ago at={lastAt} className="text-muted" />
          </p>
        ) : (
          <p className="text-muted">Waiting for the first reading.</p>
        )}
        {entry && (
          <p className="text-muted text-sm">
            Key sgs_…{entry.secretEnd} · created {entry.createdBy && `by ${entry.createdBy.name} `}
            <Ago at={entry.createdAt} />
          </p>
        )}
      </div>
      {entry && <RevokeKey entry={entry} />}
    </li>
  )
}

function RevokeKey({ entry: { id, sensor } }: { entry: SensorKey }) {
  const [isAsking, setAsking] = useState(false)
  const revoke = useMutation({
    mutationFn: () => call(revokeSensorKey, { params: { id } }),
    onSuccess: async () => {
      setAsking(false)
      toast({ title: 'Key revoked', description: `${sensor.name} can’t send readings anymore.` })
      await refreshClimate()
    },
    onError: (error) => toast({ title: 'The key wasn’t revoked', description: messageOf(error), variant: 'destructive' }),
  })
  return (
    <>
      <Button variant="secondary" size="lg" onClick={() => setAsking(true)}>
        <span>
          Revoke<span className="sr-only"> the key for {sensor.name}</span>
        </span>
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Revoke the key for ${sensor.name}?`}
        confirmText="Revoke key"
        pending={revoke.isPending}
        pendingText="Revoking..."
        onConfirm={() => revoke.mutate()}
      >
        The sensor won’t be able to send readings anymore. Readings it has already sent are kept. To reconnect it, create a new key.
      </ConfirmDialog>
    </>
  )
}

export function ConnectCard({ hunt, sensors, onClose }: Omit<Props, 'mayWrite'> & { onClose: () => void }) {
  const listId = useId()
  const units = useUnits()
  const runs = useQuery(runsOptions(hunt.id)).data ?? []
  const [room, setRoom] = useState('')
  const [error, setError] = useState('')
  const create = useMutation({
    mutationFn: () => call(createSensorKey, { params: { id: hunt.id }, body: { sensorName: room } }),
    onSuccess: refreshClimate,
    onError: (failure) => setError(fieldErrors(failure).sensorName || messageOf(failure)),
  })
  const rooms = [...new Set([...runs.map((run) => run.room), ...sensors.map(({ name }) => name)])].filter(Boolean)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (room.trim() === '') return setError('Name the room')
    create.mutate()
  }

  return (
    <Card asChild>
      <section aria-labelledby="connect-sensor">
        <CardBody className="grid gap-5">
          <div className="grid gap-1">
            <h2 id="connect-sensor" className="text-xl">
              Connect a sensor
            </h2>
            <p className="max-w-text text-muted text-sm">
              Let Home Assistant, ESPHome or your own script send readings as they’re taken. Each room has its own key, which can only add
              readings.{' '}
              <a href="/developers#sensors" className={textLink}>
                Examples
              </a>
            </p>
          </div>
          {create.data ? (
            <div className="grid gap-4 rounded-input bg-sunk p-4">
              <SecretOnce
                title="Copy the key"
                titleId="sensor-key"
                label={`Key for ${create.data.key.sensor.name}`}
                secret={create.data.secret}
                onDone={onClose}
              >
                You won’t be able to see it again.
              </SecretOnce>
              <Example secret={create.data.secret} unit={unitName('temperature', units) === '°F' ? 'F' : 'C'} />
            </div>
          ) : (
            <form onSubmit={submit} noValidate className="grid gap-4">
              <Field label="Room" hint="Where the sensor is. Readings are shown under this name." error={error} className="max-w-sm">
                <Input
                  value={room}
                  maxLength={80}
                  autoComplete="off"
                  list={listId}
                  onChange={({ target }) => {
                    setRoom(target.value)
                    setError('')
                  }}
                />
              </Field>
              <datalist id={listId}>
                {rooms.map((name) => (
                  <option key={name} value={name} />
                ))}
              </datalist>
              <div className="flex flex-wrap gap-3">
                <Button type="submit" size="lg" pending={create.isPending} pendingText="Creating...">
                  <Radio aria-hidden="true" />
                  Create a key
                </Button>
                <Button variant="quiet" size="lg" onClick={onClose}>
                  Cancel
                </Button>
              </div>
            </form>
          )}
        </CardBody>
      </section>
    </Card>
  )
}

function Example({ secret, unit }: { secret: string; unit: 'C' | 'F' }) {
  const text = useRef<HTMLElement>(null)
  const reading = unit === 'F' ? '"temperature": 77.5, "humidity": 58, "unit": "F"' : '"temperature": 25.3, "humidity": 58'
  const curl = `curl ${window.location.origin}/api/sensor-readings \\
  -H "Authorization: Bearer ${secret}" \\
  -H "Content-Type: application/json" \\
  -d '{ ${reading} }'`
  return (
    <div className="grid gap-2">
      <p className="font-medium text-sm">Try it: this adds a reading</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <section tabIndex={0} aria-label="Example" className="overflow-x-auto rounded-card border border-line bg-raised p-4 text-sm">
        <pre className="leading-relaxed">
          <code ref={text}>{curl}</code>
        </pre>
      </section>
      <div>
        <CopyButton variant="secondary" text={curl} name="The example" shownIn={text}>
          Copy the example
        </CopyButton>
      </div>
    </div>
  )
}
