import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import type { Trait } from '#contracts/traits.ts'
import type { LogPlant } from '#web/entities/grow-logs/plant-names.ts'
import { isDay, readValue } from '#web/entities/traits/trait-values.ts'
import { formatNumber } from '#web/lib/format.ts'
import type { NewValue } from './observation-writes.ts'

/** Its message says why the file can't be read. */
export class ScoreFileRefused extends Error {
  override readonly name = 'ScoreFileRefused'
}

export type ScoreFile = { header: string[]; rows: string[][] }

export const maxScoreFileBytes = 4 * 1024 * 1024
const maxRows = 5000

/** Parses a table of plants by traits: header first, separated by commas, semicolons or tabs. @throws ScoreFileRefused */
export function readScoreFile(bytes: Uint8Array): ScoreFile {
  if (bytes.length > maxScoreFileBytes) throw new ScoreFileRefused('A file can have at most 4 MB.')
  if (bytes.subarray(0, 4096).includes(0))
    throw new ScoreFileRefused('This isn’t a text file. Excel files aren’t supported. Save it as CSV (UTF-8).')
  const text = new TextDecoder('utf-8').decode(bytes)
  const [header = [], ...rows] = recordsOf(text)
  if (header.length < 2) throw new ScoreFileRefused('The first line must name the columns: the plant and each trait.')
  if (rows.length === 0) throw new ScoreFileRefused('The file has a header but no plants.')
  if (rows.length > maxRows) throw new ScoreFileRefused(`A file can have at most ${formatNumber(maxRows)} rows.`)
  return { header, rows }
}

function recordsOf(text: string): string[][] {
  const [first = ''] = text.split(/\r\n|\n|\r/)
  const delimiter = [',', ';', '\t'].reduce((best, each) => (first.split(each).length > first.split(best).length ? each : best))
  try {
    return parse(text, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      bom: true,
    }) as string[][]
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new ScoreFileRefused('This CSV file can’t be read. Save the table as CSV and choose that file.')
  }
}

/** Use of a column: plant, day, a trait's ID, or none. */
export type ColumnUse = 'plant' | 'day' | 'skip' | (string & {})

/** Matches header names without units: "Height, cm" and "Height (cm)" are Height. */
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

/** Finds a plant by "#7-2", "7-2", "#7 Lemon" or its code. */
export function findPlant(plants: readonly LogPlant[], text: string): LogPlant | null {
  const typed = text.trim()
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  const byCode = code.length === 8 ? plants.find((plant) => plant.code === code) : undefined
  if (byCode) return byCode
  const [, number, copy] = /^#?(\d+)(?:-(\d+))?(?:\s.*)?$/.exec(typed) ?? []
  if (number === undefined) return null
  return plants.find((plant) => plant.number === Number(number) && plant.copy === Number(copy ?? 0)) ?? null
}

export type ReadScores = {
  values: NewValue[]
  plants: number
  /** Unreadable cells. Row numbers are those of a spreadsheet: the header is row 1. */
  wrong: { row: number; column: string; message: string }[]
}

/** Parses a file with the given column uses. Saves nothing. */
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
  const seen = new Set<string>()
  for (const [nth, cells] of file.rows.entries()) {
    const issue = (at: number, message: string) => wrong.push({ row: nth + 2, column: file.header[at] ?? `column ${at + 1}`, message })
    const plant = plantAt === -1 ? null : findPlant(plants, cells[plantAt] ?? '')
    if (!plant) {
      if (plantAt !== -1) issue(plantAt, `“${cells[plantAt] ?? ''}” isn’t a plant in this hunt`)
      continue
    }
    const day = dayAt === -1 || (cells[dayAt] ?? '') === '' ? usualDay : dayOf(cells[dayAt] as string)
    if (day === null) {
      issue(dayAt, 'Enter a date like 2026-11-21')
      continue
    }
    for (const [at, use] of uses.entries()) {
      const trait = traits.find(({ id }) => id === use)
      const text = cells[at] ?? ''
      // Our exports and many other files use a dash for missing values.
      if (!trait || /^[–-]?$/.test(text.trim())) continue
      const read = readValue(trait, text)
      if (read === null) continue
      if ('error' in read) issue(at, read.error)
      else {
        values.push({ traitId: trait.id, plantId: plant.id, observedOn: day, value: read.value })
        seen.add(plant.id)
      }
    }
  }
  return { values, plants: seen.size, wrong }
}

function dayOf(text: string): string | null {
  const read = readValue({ kind: 'date', options: [], unit: '' }, text)
  return read && 'value' in read && read.value.kind === 'date' && isDay(read.value.date) ? read.value.date : null
}
