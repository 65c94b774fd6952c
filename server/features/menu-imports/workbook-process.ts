import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { unzipSync, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { maxMenuRows } from '#contracts/limits.ts'
import { type FileRow, maxColumns, maxHeadRows } from './menu-table.ts'
import type { WorkbookLine } from './read-menu-file.ts'

/** Limit for all XML in a workbook. A menu of 20,000 rows and 30 columns has about 30 MB. */
const maxXmlBytes = 64 * 1024 * 1024

class WorkbookRefused extends Error {}

/**
 * Decompresses the workbook. Checks the ZIP directory's sizes first and inflates nothing beyond them; the reader would inflate whatever it
 * finds.
 */
function inflated(bytes: Uint8Array): ArrayBuffer {
  let xmlBytes = 0
  const files = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!name.endsWith('.xml') && !name.endsWith('.rels')) return false
      xmlBytes += originalSize
      if (xmlBytes > maxXmlBytes)
        throw new WorkbookRefused('This workbook is too large to read. Save the sheet as “CSV UTF-8” and upload that.')
      return true
    },
  })
  return zipSync(files, { level: 0 }).slice().buffer
}

/** Workbooks can store 35.1 as 35.100000000000001. Whole numbers, such as barcodes, keep all their digits. */
const numberText = (value: number) => String(Number.isInteger(value) ? value : Number(value.toPrecision(15)))

const textOf = (cell: unknown): string => {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10)
  if (typeof cell === 'number') return numberText(cell)
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  return cell == null ? '' : String(cell)
}

async function read(bytes: Uint8Array): Promise<FileRow[] | { refused: string }> {
  try {
    const rows: FileRow[] = []
    for (const [i, all] of (await readSheet(inflated(bytes))).entries()) {
      const cells = all.slice(0, maxColumns + 1).map(textOf)
      // Empty rows don't count toward the limit.
      if (cells.every((cell) => cell === '')) continue
      if (rows.push({ row: i + 1, cells }) > maxMenuRows + maxHeadRows) break
    }
    return rows
  } catch (error) {
    if (error instanceof WorkbookRefused) return { refused: error.message }
    return { refused: 'We can’t read this workbook. Save the sheet as “CSV UTF-8” and upload that.' }
  }
}

const answer = (line: WorkbookLine) => `${JSON.stringify(line)}\n`

function* lines(outcome: FileRow[] | { refused: string }): Generator<string> {
  if ('refused' in outcome) {
    yield answer(outcome)
    return
  }
  for (const row of outcome) yield answer(row)
  yield answer({ isDone: true })
}

const outcome = await read(new Uint8Array(await buffer(process.stdin)))
Readable.from(lines(outcome)).pipe(process.stdout)
