import { useState } from 'react'
import type { Trait } from '#contracts/traits.ts'
import { type LogPlant, today } from '#web/entities/grow-logs/plant-names.ts'
import { counted } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, FieldError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { writeValues } from './observation-writes.ts'
import { type ColumnUse, guessColumns, readScoreFile, type ScoreFile, ScoreFileRefused, scoresOfFile } from './score-file.ts'

type ScoreImportProps = { huntId: string; traits: readonly Trait[]; plants: readonly LogPlant[]; onDone: () => void }

const maxShown = 50

/** Imports scores from a CSV. Columns can be reassigned, and nothing is saved before confirmation. */
export function ScoreImport({ huntId, traits, plants, onDone }: ScoreImportProps) {
  const [file, setFile] = useState<{ name: string; table: ScoreFile } | null>(null)
  const [uses, setUses] = useState<readonly ColumnUse[]>([])
  const [day, setDay] = useState(today())
  const [problem, setProblem] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  const taken = traits.filter(({ kind }) => kind !== 'photo')

  async function choose(chosen: File | undefined) {
    if (!chosen) return
    try {
      const table = readScoreFile(new Uint8Array(await chosen.arrayBuffer()))
      setFile({ name: chosen.name, table })
      setUses(guessColumns(table.header, taken))
      setProblem(null)
    } catch (error) {
      setFile(null)
      setProblem(error instanceof ScoreFileRefused ? error.message : 'This file couldn’t be read.')
    }
  }

  const read = file && scoresOfFile(file.table, uses, taken, plants, day)
  const hasPlant = uses.includes('plant')

  async function save() {
    if (!read || !file) return
    setSaving(true)
    try {
      await writeValues(huntId, `${read.values.length} values from ${file.name}`, read.values)
      toast({ title: read.values.length === 1 ? 'Imported 1 value' : `Imported ${read.values.length} values` })
      onDone()
    } catch (error) {
      toast({
        title: 'The values couldn’t be saved',
        description: error instanceof Error ? error.message : 'Please try again.',
        variant: 'destructive',
      })
    } finally {
      setSaving(false)
    }
  }

  return (
    <div className="grid gap-4">
      <p className="max-w-text text-muted text-sm">
        A table with one plant per row and one trait per column. The first line names the columns, and one column has the plant (#7, 7-2, or
        its label code). Save it as CSV in your spreadsheet.
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <Field label="CSV file" className="w-full sm:w-80">
          <Input
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            onChange={(event) => void choose(event.target.files?.[0])}
            className="min-h-12"
          />
        </Field>
        {file && !uses.includes('day') && (
          <Field label="Day for all rows" className="w-44">
            <Input type="date" value={day} max={today()} onChange={(event) => setDay(event.target.value || today())} className="min-h-12" />
          </Field>
        )}
      </div>
      {problem && (
        <div role="alert">
          <FieldError>{problem}</FieldError>
        </div>
      )}
      {file && read && (
        <>
          <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {file.table.header.map((name, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns may share a name, and stay where they are
              <li key={at}>
                <Field
                  label={name === '' ? `Column ${at + 1}` : name}
                  hint={`For example: ${file.table.rows
                    .slice(0, 3)
                    .map((cells) => cells[at] || '–')
                    .join(', ')}`}
                >
                  <Select
                    value={uses[at] ?? 'skip'}
                    onChange={(event) => setUses(uses.map((use, i) => (i === at ? event.target.value : use)))}
                  >
                    <option value="skip">Skip this column</option>
                    <option value="plant">Plant</option>
                    <option value="day">Day</option>
                    {taken.map((trait) => (
                      <option key={trait.id} value={trait.id}>
                        {trait.name}
                      </option>
                    ))}
                  </Select>
                </Field>
              </li>
            ))}
          </ul>
          <div role="status" className="grid gap-2">
            {!hasPlant && <p className="font-medium text-clay text-sm">Choose the plant column to continue.</p>}
            {hasPlant && (
              <p>
                {counted(read.values.length, 'value')} of {read.plants} {read.plants === 1 ? 'plant' : 'plants'} can be imported.
                {read.wrong.length > 0 &&
                  ` ${read.wrong.length} ${read.wrong.length === 1 ? 'cell' : 'cells'} can’t be read and will be skipped:`}
              </p>
            )}
            {read.wrong.length > 0 && (
              <ul className="list-disc pl-5 text-clay text-sm">
                {read.wrong.slice(0, maxShown).map(({ row, column, message }) => (
                  <li key={`${row} ${column} ${message}`}>
                    Row {row}, {column}: {message}
                  </li>
                ))}
                {read.wrong.length > maxShown && <li>and {read.wrong.length - maxShown} more</li>}
              </ul>
            )}
          </div>
          <Button
            size="lg"
            className="justify-self-end"
            disabled={read.values.length === 0}
            pending={isSaving}
            pendingText="Importing..."
            onClick={() => void save()}
          >
            Import {counted(read.values.length, 'value')}
          </Button>
        </>
      )}
    </div>
  )
}
