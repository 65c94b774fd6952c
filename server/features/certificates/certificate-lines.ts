import { parse } from 'csv-parse/sync'
import { decodeText, unguardCell } from '#contracts/csv.ts'

/** The message explains in a sentence or two why a file can't be read, and what to do. */
export class CertificateRefused extends Error {
  override readonly name = 'CertificateRefused'
}

/** A piece of text and its horizontal position: points on a page, or 100 per column in a CSV. */
export type Cell = { text: string; left: number; right: number }
export type Line = readonly Cell[]
export type CertificatePage = { lines: Line[] }

/** A piece of upright text in a PDF, with its baseline measured from the top of the page. */
export type TextItem = { text: string; x: number; y: number; width: number; size: number }
export const isPdf = (bytes: Buffer): boolean => bytes.subarray(0, 1024).includes('%PDF-')

/** Limit per line, more than any table has, because each cell is compared with the columns of the line's tables. */
const maxCells = 200

/** Wider gaps separate cells; words in a cell are about a quarter of their font size apart. */
const gapInSizes = 0.6

export function linesOfItems(items: readonly TextItem[]): Line[] {
  const rows: { y: number; size: number; items: TextItem[] }[] = []
  for (const item of items.filter(({ text }) => text.trim() !== '').toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const row = rows.at(-1)
    if (row && Math.abs(item.y - row.y) <= Math.min(item.size, row.size) * 0.5) row.items.push(item)
    else rows.push({ y: item.y, size: item.size, items: [item] })
  }
  return rows.map((row) => {
    const cells: Cell[] = []
    for (const item of row.items.flatMap(splitAtGaps).toSorted((a, b) => a.x - b.x)) {
      const last = cells.at(-1)
      const text = item.text.trim()
      const right = item.x + item.width
      const gap = last ? item.x - last.right : Number.POSITIVE_INFINITY
      if (last && gap < item.size * gapInSizes) {
        last.text += gap > item.size * 0.12 ? ` ${text}` : text
        last.right = Math.max(last.right, right)
      } else cells.push({ text, left: item.x, right })
    }
    return cells.slice(0, maxCells)
  })
}

/** Some programs write a whole row as one string, with spaces between its columns. */
function splitAtGaps(item: TextItem): TextItem[] {
  const perLetter = item.width / item.text.length
  return [...item.text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }) => ({
    ...item,
    text,
    x: item.x + index * perLetter,
    width: text.length * perLetter,
  }))
}

const maxRows = 5000
const delimiters = [',', ';', '\t', '|'] as const
const columnWidth = 100

/** @throws CertificateRefused */
export function readCsvPage(bytes: Buffer): CertificatePage {
  const text = decodeText(bytes)
  if (text === null) {
    throw new CertificateRefused('This is neither a PDF nor a CSV file. Save an Excel sheet as “CSV UTF-8” and choose that.')
  }
  const counts = delimiters.map((delimiter) => text.slice(0, 20_000).split(delimiter).length)
  const delimiter = delimiters[counts.indexOf(Math.max(...counts))] as string
  const rows = rowsOf(text, delimiter)
  if (rows.length > maxRows) throw new CertificateRefused(`A file can have at most ${maxRows.toLocaleString('en-US')} rows.`)
  const lines = rows.map((cells) =>
    cells.slice(0, maxCells).flatMap((cell, at) => {
      const shown = unguardCell(cell.trim())
      return shown === '' ? [] : { text: shown, left: at * columnWidth, right: at * columnWidth + columnWidth / 2 }
    }),
  )
  if (lines.every((line) => line.length === 0)) throw new CertificateRefused('This file is empty.')
  return { lines: lines.filter((line) => line.length > 0) }
}

function rowsOf(text: string, delimiter: string): string[][] {
  try {
    return parse(text, { delimiter, bom: true, relax_column_count: true, relax_quotes: true, to: maxRows + 1, max_record_size: 100_000 })
  } catch {
    throw new CertificateRefused('This CSV file can’t be read. Open it in a spreadsheet, save it as “CSV UTF-8” and choose that.')
  }
}
