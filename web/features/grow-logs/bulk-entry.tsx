import { useState } from 'react'
import type { Hunt } from '../../../contracts/hunts.ts'
import type { Units } from '../../lib/units.ts'
import { useUnits } from '../../lib/use-units.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Sheet, type SheetColumn } from '../../ui/sheet/sheet.tsx'
import { useSheetTexts } from '../../ui/sheet/use-sheet-texts.ts'
import { toast } from '../../ui/toast-store.ts'
import { bulkEntries } from './bulk-rows.ts'
import { type LogField, labelOf, logFields, stageNames } from './log-fields.ts'
import { writeLogs } from './log-writes.ts'
import { type LogPlant, today } from './plant-names.ts'

type BulkEntryProps = { hunt: Pick<Hunt, 'id'>; plants: readonly LogPlant[] }

const widths: Partial<Record<LogField['key'], number>> = { notes: 240, feed: 180, pestControl: 180, training: 180, stage: 128 }

function columnsOf(units: Units, isExpert: boolean): SheetColumn[] {
  return logFields
    .filter(({ group }) => isExpert || group === 'plain')
    .map((field) => ({
      key: field.key,
      label: labelOf(field, units),
      kind: field.kind === 'text' || field.kind === 'stage' ? ('text' as const) : ('decimal' as const),
      width: widths[field.key] ?? 112,
      ...(field.kind === 'stage' ? { choices: Object.values(stageNames) } : {}),
    }))
}

/** All plants of one day as in a spreadsheet. */
export function BulkEntry({ hunt, plants }: BulkEntryProps) {
  const units = useUnits()
  const [day, setDay] = useState(today())
  const [isExpert, setExpert] = useState(false)
  const [errors, setErrors] = useState<Record<string, Record<string, string>>>({})
  const sheet = useSheetTexts()
  const living = plants.filter(({ isAlive }) => isAlive)
  const columns = columnsOf(units, isExpert)
  const filled = Object.values(sheet.texts).filter((row) => Object.values(row).some((text) => text.trim() !== '')).length

  async function save() {
    const read = bulkEntries(sheet.texts, day, units)
    if ('errors' in read) {
      setErrors(read.errors)
      const wrong = Object.keys(read.errors).length
      toast({
        title: wrong === 1 ? 'One row needs a look' : `${wrong} rows need a look`,
        description: 'The marked cells say why. Nothing was saved.',
        variant: 'destructive',
      })
      return
    }
    try {
      await writeLogs(hunt.id, read.entries)
      setErrors({})
      sheet.clear()
      toast({ title: read.entries.length === 1 ? 'Saved 1 log' : `Saved ${read.entries.length} logs` })
    } catch (error) {
      toast({
        title: 'The logs could not be kept',
        description: error instanceof Error ? error.message : 'Please try again.',
        variant: 'destructive',
      })
    }
  }

  return (
    <Card asChild>
      <section aria-labelledby="bulk-entry">
        <CardBody className="grid gap-4">
          <div className="flex flex-wrap items-end justify-between gap-3">
            <div className="grid gap-1">
              <h2 id="bulk-entry" className="text-xl">
                Bulk entry
              </h2>
              <p className="text-muted text-sm">One day, all plants. Paste from a spreadsheet, or type and fill down with Ctrl+D.</p>
            </div>
            <div className="flex flex-wrap items-end gap-3">
              <Button variant="secondary" size="lg" aria-pressed={isExpert} onClick={() => setExpert(!isExpert)}>
                {isExpert ? 'Fewer columns' : 'All columns'}
              </Button>
              <Field label="Day" className="w-44">
                <Input
                  type="date"
                  value={day}
                  max={today()}
                  onChange={(event) => setDay(event.target.value || today())}
                  className="min-h-12"
                />
              </Field>
            </div>
          </div>
          <Sheet
            label={`Logs of ${day}`}
            rowLabel="Plant"
            rows={living.map(({ id, name }) => ({ id, name }))}
            columns={columns}
            texts={sheet.texts}
            errors={errors}
            onWrite={(writes) => {
              sheet.write(writes)
              setErrors({})
            }}
            onUndo={sheet.undo}
            onRedo={sheet.redo}
          />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-muted text-sm" role="status">
              {filled === 0
                ? 'Rows that stay empty are not saved.'
                : `${filled} of ${living.length} plants filled in. Escape and then Tab leaves the table.`}
            </p>
            <Button size="lg" disabled={filled === 0} onClick={() => void save()}>
              {filled === 0 ? 'Save' : filled === 1 ? 'Save 1 log' : `Save ${filled} logs`}
            </Button>
          </div>
        </CardBody>
      </section>
    </Card>
  )
}
