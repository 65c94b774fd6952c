import { isUtf8 } from 'node:buffer'
import { createTable, type MenuFile, MenuFileRefused } from './menu-table.ts'
import { withWeightRows } from './price-columns.ts'
import { readDelimited } from './read-delimited.ts'
import { isWorkbook, readWorkbook } from './read-workbook.ts'

/**
 * Parses a menu as exported by spreadsheets and shop software: an Excel workbook, or text in UTF-8, UTF-16 or Windows-1252.
 * @throws MenuFileRefused
 */
export async function readMenuFile(bytes: Buffer): Promise<MenuFile> {
  const table = createTable()
  if (isWorkbook(bytes)) await readWorkbook(bytes, table)
  else await readDelimited(decode(bytes), table)
  return withWeightRows(table.finish())
}

function decode(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.subarray(0, 4096).includes(0)) {
    throw new MenuFileRefused(
      'We can’t read this kind of file. Save the sheet as an Excel workbook (.xlsx) or as "CSV UTF-8", and send that.',
    )
  }
  // TextDecoder drops the byte order mark.
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes)
}
