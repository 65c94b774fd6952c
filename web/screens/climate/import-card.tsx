import { useMutation } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { vaporPressureDeficit } from '#agronomy/vpd.ts'
import { undoClimateImport } from '#contracts/calls/climate.ts'
import type { ClimateSensor } from '#contracts/climate.endpoints.ts'
import type { Hunt } from '#contracts/hunts.ts'
import { maxReadingsOfFile } from '#contracts/limits.ts'
import { FileInput } from '#web/entities/media/file-choice.tsx'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted, dateFormat, formatList, formatNumber } from '#web/lib/format.ts'
import { shown, unitName, useUnits } from '#web/lib/units.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardBody } from '#web/ui/card.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { refreshClimate, sendReadings } from './climate.api.ts'
import { firstSettings, hasAll, ImportSettings, type Settings, tableOf } from './import-settings.tsx'
import { bySensor, inParts, joined, type ReadResult, readReadings } from './sensor-readings.ts'
import { readSensorTable, SensorFileRefused, type SensorTable } from './sensor-table.ts'

type ImportCardProps = { hunt: Pick<Hunt, 'id'>; sensors: readonly ClimateSensor[]; onClose: () => void }
type Part = { sensorName: string; result: ReadResult }
type Chosen = { fileName: string; table: SensorTable; settings: Settings }

export const alreadyWords = (count: number): string =>
  count === 1 ? 'This reading was already imported.' : `All ${formatNumber(count)} readings were already imported.`

/** People can check and correct the guessed columns before anything is saved. */
export function ImportCard({ hunt, sensors, onClose }: ImportCardProps) {
  const input = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [isReading, setReading] = useState(false)
  const [problem, setProblem] = useState('')
  const [share, setShare] = useState(0)

  async function choose(file: File) {
    setReading(true)
    setProblem('')
    try {
      const table = readSensorTable(new Uint8Array(await file.arrayBuffer()))
      setChosen({ fileName: file.name, table, settings: firstSettings(table, file.name, sensors) })
    } catch (error) {
      setChosen(null)
      setProblem(error instanceof SensorFileRefused ? error.message : 'The file couldn’t be read. Choose it again.')
    } finally {
      setReading(false)
    }
  }

  const settings = chosen?.settings
  const isWhole = settings !== undefined && hasAll(settings, chosen?.table.isLong ?? false)
  const table = chosen && settings && tableOf(chosen.table, settings)
  const parts: Part[] = []
  if (table && isWhole && settings.order && settings.temperature) {
    const { order, timeZone, temperature, sensorName } = settings
    for (const part of bySensor(table.table, table.mapping, sensorName)) {
      const result = readReadings(part.table, { mapping: table.mapping, order, timeZone, temperature })
      parts.push({ sensorName: part.sensorName, result })
    }
  }
  const result = parts.length > 0 ? joined(parts.map((part) => part.result)) : null
  const count = result?.readings.at.length ?? 0

  const undo = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) await call(undoClimateImport, { params: { id } })
    },
    onSuccess: refreshClimate,
    onError: (error) => toast({ title: 'The import couldn’t be undone', description: messageOf(error), variant: 'destructive' }),
  })
  const send = useMutation({
    mutationFn: async () => {
      if (!chosen || !settings) throw new Error('nothing was chosen')
      const { timeZone } = settings
      const sent = { ids: [] as string[], added: 0, already: 0 }
      let before = 0
      // Each sensor's part of the file is a separate import, or several if it is too long for one.
      const imports = parts.flatMap(({ sensorName, result }) =>
        inParts(result.readings, maxReadingsOfFile).map((readings) => ({ sensorName, readings })),
      )
      for (const { sensorName, readings } of imports) {
        const about = { huntId: hunt.id, sensorName, fileName: chosen.fileName, timeZone, readings }
        const { id, added, already } = await sendReadings(about, (share) => setShare((before + share * readings.at.length) / count))
        before += readings.at.length
        sent.added += added
        sent.already += already
        // Imports that added nothing don't belong in the history, so undo them.
        if (added === 0) await call(undoClimateImport, { params: { id } })
        else sent.ids.push(id)
      }
      await refreshClimate()
      return sent
    },
    onSuccess: ({ ids, added, already }) => {
      if (added === 0) toast({ title: 'Nothing new', description: alreadyWords(already) })
      else {
        toast({
          title: `Imported ${counted(added, 'reading')}`,
          description: already > 0 ? `${formatNumber(already)} ${already === 1 ? 'was' : 'were'} already imported.` : undefined,
          action: { label: 'Undo', onClick: () => undo.mutate(ids) },
        })
      }
      onClose()
    },
  })

  return (
    <Card asChild>
      <section aria-labelledby="climate-import">
        <CardBody className="grid gap-5">
          <div className="grid gap-1">
            <h2 id="climate-import" className="text-xl">
              Import a sensor file
            </h2>
            <p className="max-w-text text-muted text-sm">
              A CSV export from your sensor’s app with time, temperature and humidity. It can also include CO₂ and leaf temperature. Govee
              Home, AC Infinity and Home Assistant files are recognized by their headers. For other files, you choose the columns.
            </p>
          </div>
          <div className="flex flex-wrap items-center gap-3">
            <Button
              variant={chosen ? 'secondary' : 'primary'}
              size="lg"
              pending={isReading}
              pendingText="Reading..."
              onClick={() => input.current?.click()}
            >
              <FileUp aria-hidden="true" />
              {chosen ? 'Choose another file' : 'Choose a file'}
            </Button>
            {chosen && <span className="min-w-0 truncate">{chosen.fileName}</span>}
          </div>
          <FileInput ref={input} accept=".csv,.tsv,.txt,text/csv,text/plain" label="Sensor file" onFiles={([file]) => void choose(file)} />
          {problem && (
            <p role="alert" className="font-medium text-clay">
              {problem}
            </p>
          )}
          {chosen && settings && (
            <ImportSettings
              table={chosen.table}
              settings={settings}
              sensors={sensors}
              onChange={(change) => setChosen({ ...chosen, settings: { ...settings, ...change } })}
            />
          )}
          {result && settings && (
            <ImportPreview result={result} sensors={parts.map(({ sensorName }) => sensorName)} timeZone={settings.timeZone} />
          )}
          {send.isPending && <Progress label="Import" value={Math.round(share * 100)} />}
          {send.error && (
            <p role="alert" className="font-medium text-clay">
              {messageOf(send.error)} Import again. Readings that were already saved won’t be added twice.
            </p>
          )}
          <div className="flex flex-wrap gap-3">
            {chosen && (
              <Button
                size="lg"
                disabled={count === 0 || settings?.sensorName.trim() === ''}
                pending={send.isPending}
                pendingText="Importing..."
                onClick={() => send.mutate()}
              >
                {count === 0 ? 'Import' : `Import ${counted(count, 'reading')}`}
              </Button>
            )}
            <Button variant="quiet" size="lg" onClick={onClose}>
              Cancel
            </Button>
          </div>
        </CardBody>
      </section>
    </Card>
  )
}

const previewed = 5
const maxProblems = 50

type ImportPreviewProps = { result: ReadResult; sensors: readonly string[]; timeZone: string }

function ImportPreview({ result, sensors, timeZone }: ImportPreviewProps) {
  const id = useId()
  const units = useUnits()
  const { readings, problems, skipped, repeated, hasLocalTimes } = result
  const clock = dateFormat({ dateStyle: 'medium', timeStyle: 'short', timeZone })
  const total = readings.at.length
  return (
    <div className="grid gap-4">
      {total > 0 && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {/* On phones, a caption would be as wide as the table and extend out of view. */}
          <p id={id} className="font-medium text-sm tabular-nums">
            {counted(total, 'reading')}, {total === 1 ? 'at' : 'from'} {clock.format((readings.at[0] ?? 0) * 1000)}
            {total > 1 && ` to ${clock.format((readings.at.at(-1) ?? 0) * 1000)}`}
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
                    // biome-ignore lint/suspicious/noArrayIndexKey: readings may share a timestamp
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
        {sensors.length > 1 && <li>Sensors: {formatList(sensors)}.</li>}
        {hasLocalTimes && <li>The times don’t include a time zone. We read them as {timeZone}.</li>}
        {repeated > 0 && (
          <li>
            {counted(repeated, 'reading')} {repeated === 1 ? 'falls' : 'fall'} in the hour that repeats when clocks are set back. We tell
            readings in that hour apart by their order.
          </li>
        )}
        {skipped > 0 && (
          <li>
            {counted(skipped, 'reading')} {skipped === 1 ? 'falls' : 'fall'} in the hour that is skipped when clocks are set forward. We
            read times in that hour as if the sensor’s clock hadn’t been set forward.
          </li>
        )}
      </ul>
      {problems.length > 0 && (
        <details className="rounded-input border border-line px-4 py-3">
          <summary className="cursor-pointer font-medium">
            {problems.length === 1 ? '1 line will be skipped' : `${formatNumber(problems.length)} lines will be skipped`}
          </summary>
          <ul className="mt-2 grid gap-1 text-sm">
            {problems.slice(0, maxProblems).map(({ line, message }) => (
              <li key={line}>
                Line {line}: {message}
              </li>
            ))}
            {problems.length > maxProblems && <li>… and {formatNumber(problems.length - maxProblems)} more.</li>}
          </ul>
        </details>
      )}
    </div>
  )
}
