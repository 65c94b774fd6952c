import type { ImportSummary, Refused } from '#server/features/directory/index.ts'

const maxRefusedShown = 20

export function refusedPrinter(print: (line: string) => void): (row: Refused) => void {
  let count = 0
  return (row) => {
    if (count++ < maxRefusedShown) print(refusedLine(row))
  }
}

const maxTextLength = 80

const refusedLine = ({ line, reason, text }: Refused): string =>
  `Line ${line} refused: ${reason}${text === '' ? '' : `  ${text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text}`}`

const number = (count: number) => count.toLocaleString('en-US')
const some = (count: number, one: string, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`

export function summaryLines(summary: ImportSummary): string[] {
  const { rowsRead, rowsRefused, added, changed, confirmed, unchanged, older, missing, listings, refusedFile } = summary
  const lines = [...summary.notes].map(
    ([note, { count, lines }]) => `Note: ${some(count, 'row')}: ${note} (line ${lines.join(', ')}${count > lines.length ? ', …' : ''}).`,
  )
  if (refusedFile) {
    const more = rowsRefused > maxRefusedShown ? ` ${number(rowsRefused - maxRefusedShown)} more than shown above.` : ''
    lines.push(`${some(rowsRefused, 'row was', 'rows were')} refused and left out; see ${refusedFile}.${more}`)
  }
  if (summary.refusedWords === null)
    lines.push('Too many rows were refused to tell which licenses disappeared, so none was marked as missing.')
  if (older > 0) lines.push(`${some(older, 'row')} left out because the register has newer data.`)
  const total = added + changed + missing + listings.added + listings.changed + listings.removed
  const details = [
    `${number(added)} licenses added`,
    `${number(changed)} changed`,
    `${number(missing)} missing`,
    `${number(confirmed + unchanged)} unchanged`,
    `listings: ${number(listings.added)} added, ${number(listings.changed)} changed, ${number(listings.removed)} removed`,
  ].join(', ')
  lines.push(
    summary.isComplete
      ? `${some(rowsRead, 'row')} read, ${number(total)} changes: ${details}.`
      : `Stopped after ${some(rowsRead, 'row')}: ${details}. Run it again to continue.`,
  )
  return lines
}
