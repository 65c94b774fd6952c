/** A cell that a spreadsheet would treat as a formula. */
const formula = /^[=+\-@]/
const guarded = /^'(?=[=+\-@])/

/**
 * Parses clipboard text of a spreadsheet: one row per line, cells separated by tabs, quotes around cells that contain either. Rows may differ
 * in length. Removes the apostrophe that marks plain text.
 */
export function parseTsv(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    rows.at(-1)?.push(cell.replace(guarded, ''))
    cell = ''
  }
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = false
    } else if (sign === '"' && cell === '' && closes(text, at)) isQuoted = true
    else if (sign === '\t') endCell()
    else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text[at + 1] === '\n') at++
      endCell()
      rows.push([])
    } else cell += sign
  }
  endCell()
  const last = rows.at(-1)
  // The final line break doesn't start another row.
  if (rows.length > 1 && last?.length === 1 && last[0] === '') rows.pop()
  return rows
}

/** Whether the quote at `start` is closed before the cell ends. Otherwise it is an inch sign. */
function closes(text: string, start: number): boolean {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] !== '"') continue
    if (text[at + 1] === '"') at++
    else return at + 1 === text.length || /[\t\r\n]/.test(text[at + 1] as string)
  }
  return false
}

/** Formats text for a spreadsheet. Formula-like text is prefixed with an apostrophe, so that user text is never executed. */
export function formatTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(formatCell).join('\t')).join('\n')
}

function formatCell(text: string): string {
  const plain = formula.test(text) ? `'${text}` : text
  return /[\t\r\n"]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
