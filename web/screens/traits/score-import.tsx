import { CsvError, type Info, parse } from 'csv-parse/browser/esm/sync'
import { useState } from 'react'
import { decodeText, unguardCell } from '#contracts/csv.ts'
import { maxObservationsAtOnce } from '#contracts/limits.ts'
import type { TraitRecord } from '#contracts/trait-records.ts'
import type { Trait } from '#contracts/traits.ts'
import type { LogPlant } from '#web/entities/grow-logs/plant-names.ts'
import { dayText } from '#web/entities/growing-plots/plot-table.ts'
import { toastUnsaved } from '#web/entities/offline/enqueue.ts'
import { isDay, readValue } from '#web/entities/traits/trait-words.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { localDay } from '#web/lib/time-words.ts'
import { Button } from '#web/ui/button.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { DayInput, Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast-store.ts'
import { type NewValue, writeValues } from './observation-writes.ts'

type ScoreImportProps = {
  huntId: string
  traits: readonly Trait[]
  plants: readonly LogPlant[]
  /** Includes pending records. */
  records: readonly TraitRecord[]
  onDone: () => void
}

const maxShown = 50

export function ScoreImport({ huntId, traits, plants, records, onDone }: ScoreImportProps) {
  const [file, setFile] = useState<{ name: string; table: ScoreFile } | null>(null)
  const [uses, setUses] = useState<readonly ColumnUse[]>([])
  const [day, setDay] = useState(localDay())
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
      setProblem(error instanceof ScoreFileRefused ? error.message : 'The file couldn’t be read. Choose it again.')
    }
  }

  const read = file && scoresOfFile(file.table, uses, taken, plants, day)
  const hasPlant = uses.includes('plant')
  const fresh = unrecordedOf(read?.values ?? [], records)
  const known = (read?.values.length ?? 0) - fresh.count
  const otherDay = read && !uses.includes('day') ? otherDayOf(read.values, records) : null

  async function save() {
    if (!file) return
    setSaving(true)
    try {
      for (const batch of fresh.batches) await writeValues(huntId, `${counted(fresh.count, 'value')} from ${file.name}`, batch)
      toast({ title: `Imported ${counted(fresh.count, 'value')}` })
      onDone()
    } catch (error) {
      toastUnsaved('The values couldn’t be saved', error)
    } finally {
      setSaving(false)
    }
  }

  return (
    <div className="grid gap-4">
      <p className="max-w-text text-muted text-sm">
        A table with one plant per row and one trait per column. The first line names the columns, and one column contains the plant (#7,
        7-2, or its label code). Save it as CSV in your spreadsheet.
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <Field label="CSV file" className="w-full sm:w-80">
          <Input
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            onClick={(event) => {
              // Clear the input, so people can choose the same file again after fixing it.
              event.currentTarget.value = ''
            }}
            onChange={(event) => void choose(event.target.files?.[0])}
            className="min-h-12"
          />
        </Field>
        {file && !uses.includes('day') && (
          <Field label="Day for all rows" className="w-44">
            <DayInput value={day} max={localDay()} onDayChange={setDay} className="min-h-12" />
          </Field>
        )}
      </div>
      <FormError>{problem}</FormError>
      {file && read && (
        <>
          <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {file.table.header.map((name, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns may share a name and never move
              <li key={at}>
                <Field
                  label={name === '' ? `Column ${at + 1}` : name}
                  hint={`For example: ${file.table.rows
                    .slice(0, 3)
                    .map(({ cells }) => cells[at] || '–')
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
                {(fresh.count > 0 || known === 0) &&
                  `${counted(fresh.count, 'value')} of ${counted(fresh.plants, 'plant')} can be imported.`}
                {fresh.corrections > 0 &&
                  ` ${fresh.corrections} of them ${fresh.corrections === 1 ? 'replaces your score' : 'replace your scores'} from the same day.`}
                {known > 0 && ` ${counted(known, 'value is', 'values are')} already there and will be skipped.`}
                {read.wrong.length > 0 &&
                  ` ${read.wrong.length} ${read.wrong.length === 1 ? 'cell' : 'cells'} can’t be read and will be skipped:`}
              </p>
            )}
            {fresh.corrections > 0 && (
              <p className="text-muted text-sm">
                Replaced scores stay in the history. If you’ve already corrected a value here, your correction stays.
              </p>
            )}
            {otherDay && (
              <div className="flex flex-wrap items-center gap-3 rounded-card bg-sunk px-4 py-3">
                <p>
                  You have most of these values from {dayText(otherDay)}. If this is the same file, use that day, so they don’t count twice.
                </p>
                <Button variant="secondary" className="min-h-12" onClick={() => setDay(otherDay)}>
                  Use {dayText(otherDay)}
                </Button>
              </div>
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
          {fresh.count > 0 && (
            <Button size="lg" className="justify-self-end" pending={isSaving} pendingText="Importing..." onClick={() => void save()}>
              Import {counted(fresh.count, 'value')}
            </Button>
          )}
        </>
      )}
    </div>
  )
}

/** The message explains why the file can't be read. */
class ScoreFileRefused extends Error {
  override readonly name = 'ScoreFileRefused'
}

/** Rows are numbered as in a spreadsheet, which counts blank lines. */
type ScoreFile = { header: string[]; rows: { row: number; cells: string[] }[] }

const maxScoreFileBytes = 4 * 1024 * 1024
const maxRows = 5000

/** Reads a table of plants by traits with a header, separated by commas, semicolons or tabs. @throws ScoreFileRefused */
export function readScoreFile(bytes: Uint8Array): ScoreFile {
  if (bytes.length > maxScoreFileBytes) throw new ScoreFileRefused('A file can be up to 4 MB.')
  const text = decodeText(bytes)
  if (text === null) throw new ScoreFileRefused('This isn’t a text file. Excel files aren’t supported. Save it as CSV (UTF-8).')
  const [{ cells: header } = { cells: [] }, ...rows] = rowsOf(text)
  if (header.length < 2) throw new ScoreFileRefused('The first line must name the columns: the plant and each trait.')
  if (rows.length === 0) throw new ScoreFileRefused('The file has a header but no plants.')
  if (rows.length > maxRows) throw new ScoreFileRefused(`A file can have at most ${formatNumber(maxRows)} rows.`)
  return { header, rows }
}

function rowsOf(text: string): ScoreFile['rows'] {
  const [first = ''] = text.split(/\r\n|\n|\r/)
  const delimiter = [',', ';', '\t'].reduce((best, each) => (first.split(each).length > first.split(best).length ? each : best))
  try {
    const records = parse(text, {
      delimiter,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as { info: Info; record: string[] }[]
    return records.map(({ info, record }) => ({ row: info.records + info.empty_lines, cells: record.map(unguardCell) }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new ScoreFileRefused('This CSV file can’t be read. Save the table as CSV and choose that file.')
  }
}

/** The plant, the day, a trait's ID, or nothing. */
type ColumnUse = 'plant' | 'day' | 'skip' | (string & {})

/** A name may include the trait's own unit: "Height, cm" and "Height (cm)" are Height in cm. Another unit doesn't match. */
export function guessColumns(header: readonly string[], traits: readonly Pick<Trait, 'id' | 'name' | 'unit'>[]): ColumnUse[] {
  const used = new Set<string>()
  const plain = (name: string) => name.trim().toLowerCase()
  return header.map((name) => {
    const guess = ((): ColumnUse => {
      if (/^(plants?|genotypes?|phenos?|no\.?|number|code|id)$/i.test(name.trim())) return 'plant'
      if (/^(days?|dates?|observed on)$/i.test(name.trim())) return 'day'
      const found = traits.find(
        (trait) =>
          plain(trait.name) === plain(name) ||
          (trait.unit !== '' &&
            [`${trait.name}, ${trait.unit}`, `${trait.name} (${trait.unit})`].some((full) => plain(full) === plain(name))),
      )
      return found?.id ?? 'skip'
    })()
    if (guess !== 'skip' && used.has(guess)) return 'skip'
    used.add(guess)
    return guess
  })
}

/** Accepts "#7-2", "7-2", "#7 Lemon" and the plant's code. */
export function findPlant(plants: readonly LogPlant[], text: string): LogPlant | null {
  const typed = text.trim()
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  const byCode = code.length === 8 ? plants.find((plant) => plant.code === code) : undefined
  if (byCode) return byCode
  const [, number, copy] = /^#?(\d+)(?:-(\d+))?(?:\s.*)?$/.exec(typed) ?? []
  if (number === undefined) return null
  return plants.find((plant) => plant.number === Number(number) && plant.copy === Number(copy ?? 0)) ?? null
}

type ReadScores = {
  values: NewValue[]
  wrong: { row: number; column: string; message: string }[]
}

export function scoresOfFile(
  file: ScoreFile,
  uses: readonly ColumnUse[],
  traits: readonly Pick<Trait, 'id' | 'name' | 'kind' | 'options' | 'unit'>[],
  plants: readonly LogPlant[],
  usualDay: string,
): ReadScores {
  const [plantAt, dayAt] = [uses.indexOf('plant'), uses.indexOf('day')]
  const values: NewValue[] = []
  const wrong: ReadScores['wrong'] = []
  for (const { row, cells } of file.rows) {
    const issue = (at: number, message: string) => wrong.push({ row, column: file.header[at] ?? `column ${at + 1}`, message })
    const plant = plantAt === -1 ? null : findPlant(plants, cells[plantAt] ?? '')
    if (!plant) {
      if (plantAt !== -1) issue(plantAt, `“${cells[plantAt] ?? ''}” isn’t a plant in this hunt`)
      continue
    }
    const day = dayAt === -1 || (cells[dayAt] ?? '') === '' ? usualDay : dayOf(cells[dayAt] as string)
    if (day === null) {
      issue(dayAt, 'Enter a date such as 2026-11-21')
      continue
    }
    for (const [at, use] of uses.entries()) {
      const trait = traits.find(({ id }) => id === use)
      const text = cells[at] ?? ''
      // Our exports and many other files use a dash for missing values.
      if (!trait || (/^[–-]?$/.test(text.trim()) && trait.options.every(({ label }) => label !== text.trim()))) continue
      const read = readValue(trait, text)
      if (read === null) continue
      if ('error' in read) issue(at, read.error)
      else values.push({ traitId: trait.id, plantId: plant.id, observedOn: day, value: read.value })
    }
  }
  return { values, wrong }
}

type Measured = Pick<TraitRecord, 'number' | 'date' | 'options'>

const measuredKey = ({ number, date, options }: Measured) => JSON.stringify([number, date, options])
const scoreKey = (traitId: string, plantId: string, day: string) => `${traitId} ${plantId} ${day}`
const keyOfValue = ({ value }: NewValue) => measuredKey((value ?? {}) as Measured)

const ownRecords = (records: readonly TraitRecord[]) => records.filter(({ isOwn }) => isOwn)

/**
 * Returns what an import changes in the person's own records. A plant may be measured several times a day, so each recorded value matches
 * only one in the file. If a file has only one value for a trait, plant and day, it replaces a different recorded one, and also counts in
 * `corrections`. The server compares again, including corrected values and values from other devices, so all values of a day must be in
 * one batch.
 */
export function unrecordedOf(
  values: readonly NewValue[],
  records: readonly TraitRecord[],
  batchSize = maxObservationsAtOnce,
): { count: number; plants: number; corrections: number; batches: NewValue[][] } {
  const ownOf = Map.groupBy(ownRecords(records), ({ traitId, plantId, on }) => scoreKey(traitId, plantId, on))
  let [count, corrections] = [0, 0]
  const batches: NewValue[][] = [[]]
  for (const [key, ofDay] of Map.groupBy(values, (each) => scoreKey(each.traitId, each.plantId, each.observedOn))) {
    const own = Map.groupBy(ownOf.get(key) ?? [], measuredKey)
    const missing = [...Map.groupBy(ofDay, keyOfValue)].reduce(
      (sum, [measured, equal]) => sum + Math.max(0, equal.length - (own.get(measured)?.length ?? 0)),
      0,
    )
    if (missing === 0) continue
    count += missing
    if (ofDay.length === 1 && own.size > 0) corrections += 1
    if ((batches.at(-1)?.length ?? 0) + ofDay.length > batchSize) batches.push([])
    batches.at(-1)?.push(...ofDay.map((value) => ({ ...value, sameDay: 'once' as const })))
  }
  const plants = new Set(batches.flat().map(({ plantId }) => plantId))
  return { count, plants: plants.size, corrections, batches: batches.filter(({ length }) => length > 0) }
}

/** A corrected file differs from the earlier one in only a few values. */
const minSameShare = 0.8

/**
 * The day for which the person has already recorded most of these values, unless the values include that day. A file without days may have
 * been imported then, and importing it again with today's date would count every score twice.
 */
export function otherDayOf(values: readonly NewValue[], records: readonly TraitRecord[]): string | null {
  const daysOf = Map.groupBy(ownRecords(records), (record) => scoreKey(record.traitId, record.plantId, measuredKey(record)))
  const counts = new Map<string, number>()
  for (const value of values) {
    const same = daysOf.get(scoreKey(value.traitId, value.plantId, keyOfValue(value))) ?? []
    for (const day of new Set(same.map(({ on }) => on))) counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  const [[day, count] = ['', 0]] = [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? 1 : -1))
  return count < values.length * minSameShare || values.some(({ observedOn }) => observedOn === day) ? null : day || null
}

function dayOf(text: string): string | null {
  const read = readValue({ kind: 'date', options: [], unit: '' }, text)
  return read && 'value' in read && read.value.kind === 'date' && isDay(read.value.date) ? read.value.date : null
}
