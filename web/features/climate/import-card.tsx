import { useMutation } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { type ClimateSensor, maxReadingsOfFile, undoClimateImport } from '../../../contracts/climate.ts'
import type { Hunt } from '../../../contracts/hunts.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { Progress } from '../../ui/progress.tsx'
import { toast } from '../../ui/toast-store.ts'
import { refreshClimate } from './climate.api.ts'
import { ImportPreview } from './import-preview.tsx'
import { ImportSettings } from './import-settings.tsx'
import { firstSettings, hasAll, type Settings, tableOf } from './import-state.ts'
import { type Sent, sendReadings } from './send-readings.ts'
import { readReadings } from './sensor-readings.ts'
import { readSensorTable, SensorFileRefused, type SensorTable } from './sensor-table.ts'

type ImportCardProps = { hunt: Pick<Hunt, 'id'>; sensors: readonly ClimateSensor[]; onClose: () => void }
type Chosen = { fileName: string; table: SensorTable; settings: Settings }

/** A sensor's CSV: what its columns are is guessed, seen and corrected before anything is written. */
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
      setProblem(error instanceof SensorFileRefused ? error.message : 'The file could not be read. Choose it again.')
    } finally {
      setReading(false)
    }
  }

  const settings = chosen?.settings
  const isWhole = settings !== undefined && hasAll(settings, chosen?.table.isLong ?? false)
  const table = chosen && settings && tableOf(chosen.table, settings)
  const result =
    table && isWhole && settings.order && settings.temperature
      ? readReadings(table.table, {
          mapping: table.mapping,
          order: settings.order,
          timeZone: settings.timeZone,
          temperature: settings.temperature,
        })
      : null
  const count = result?.readings.at.length ?? 0
  const isTooLong = count > maxReadingsOfFile

  const send = useMutation({
    mutationFn: async (): Promise<Sent> => {
      if (!chosen || !settings || !result) throw new Error('nothing was chosen')
      const { sensorName, timeZone } = settings
      const sent = await sendReadings(
        { huntId: hunt.id, sensorName, fileName: chosen.fileName, timeZone, readings: result.readings },
        setShare,
      )
      // An import that added nothing is nothing to undo.
      if (sent.added === 0) await call(undoClimateImport, { params: { id: sent.id } })
      await refreshClimate()
      return sent
    },
    onSuccess: ({ id, added, already }) => {
      if (added === 0) toast({ title: 'Nothing new', description: `All ${formatNumber(already)} readings are here already.` })
      else {
        toast({
          title: `Imported ${formatNumber(added)} readings`,
          description: already > 0 ? `${formatNumber(already)} were here already.` : undefined,
          action: { label: 'Undo', onClick: () => void call(undoClimateImport, { params: { id } }).then(refreshClimate) },
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
              Import a sensor’s file
            </h2>
            <p className="max-w-text text-muted text-sm">
              The CSV that the sensor’s app exports: time, temperature, humidity, and CO₂ and leaf temperature where it has them. Govee
              Home, AC Infinity and Home Assistant are recognized by their headers; of any other you say what its columns are.
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
          <input
            ref={input}
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            tabIndex={-1}
            aria-label="Sensor file"
            className="hidden"
            onChange={(event) => {
              const [file] = event.target.files ?? []
              event.target.value = ''
              if (file) void choose(file)
            }}
          />
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
          {result && settings && <ImportPreview result={result} timeZone={settings.timeZone} />}
          {isTooLong && (
            <p role="alert" className="font-medium text-clay">
              A file can have at most {formatNumber(maxReadingsOfFile)} readings. Export a shorter time.
            </p>
          )}
          {send.isPending && <Progress label="Import" value={Math.round(share * 100)} />}
          {send.error && (
            <p role="alert" className="font-medium text-clay">
              {messageOf(send.error)} What has arrived is not added twice: import again.
            </p>
          )}
          <div className="flex flex-wrap gap-3">
            {chosen && (
              <Button
                size="lg"
                disabled={count === 0 || isTooLong || settings?.sensorName.trim() === ''}
                pending={send.isPending}
                pendingText="Importing..."
                onClick={() => send.mutate()}
              >
                {count === 0 ? 'Import' : `Import ${formatNumber(count)} readings`}
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
