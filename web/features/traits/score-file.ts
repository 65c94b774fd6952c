import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import type { Trait } from '../../../contracts/traits.ts'
import { formatNumber } from '../../lib/format.ts'
import type { LogPlant } from '../grow-logs/plant-names.ts'
import type { NewValue } from './observation-writes.ts'
import { isDay, readValue } from './trait-values.ts'

/** Says in a sentence why a file cannot be read. */
export class ScoreFileRefused extends Error {
  override readonly name = 'ScoreFileRefused'
}

export type ScoreFile = { header: string[]; rows: string[][] }

export const maxScoreFileBytes = 4 * 1024 * 1024
const mostRows = 5000

/** A table of plants by traits: a header, then a plant a line. Commas, semicolons or tabs. @throws ScoreFileRefused */
export function readScoreFile(bytes: Uint8Array): ScoreFile {
  if (bytes.length > maxScoreFileBytes) throw new ScoreFileRefused('A file can have at most 4 MB.')
  if (bytes.subarray(0, 4096).includes(0))
    throw new ScoreFileRefused('This is no text. An Excel file cannot be read: save it as CSV (UTF-8).')
  const text = new TextDecoder('utf-8').decode(bytes)
  const [header = [], ...rows] = recordsOf(text)
  if (header.length < 2) throw new ScoreFileRefused('The first line must name the columns: the plant, and each trait.')
  if (rows.length === 0) throw new ScoreFileRefused('The file has a header and no plants.')
  if (rows.length > mostRows) throw new ScoreFileRefused(`A file can have at most ${formatNumber(mostRows)} rows.`)
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
    throw new ScoreFileRefused('This is no CSV file that can be read. Save the table as CSV and choose that.')
  }
}

/** What a column is: the plant, the day, a trait by its id, or nothing that is wanted. */
export type ColumnUse = 'plant' | 'day' | 'skip' | (string & {})

/** By the names over the columns, without units: "Height, cm" and "Height (cm)" are Height. */
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

/** A plant by "#7-2", "7-2", "#7 Lemon" or its code. */
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
  /** How many plants they are of. */
  plants: number
  /** Cells that cannot be read, as a spreadsheet counts rows: the header is row 1. */
  wrong: { row: number; column: string; message: string }[]
}

/** What a file says, under a use of its columns. Nothing is written by this. */
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
      if (plantAt !== -1) issue(plantAt, `“${cells[plantAt] ?? ''}” is no plant of this hunt`)
      continue
    }
    const day = dayAt === -1 || (cells[dayAt] ?? '') === '' ? usualDay : dayOf(cells[dayAt] as string)
    if (day === null) {
      issue(dayAt, 'A day, like 2026-11-21')
      continue
    }
    for (const [at, use] of uses.entries()) {
      const trait = traits.find(({ id }) => id === use)
      const text = cells[at] ?? ''
      // What stands for nothing in our own files and in many others.
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
