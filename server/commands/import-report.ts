import type { ImportSummary } from '../features/directory/index.ts'

const longestText = 80

export const refusedLine = ({ line, reason, text }: { line: number; reason: string; text: string }): string =>
  `Line ${line} refused: ${reason}${text === '' ? '' : `  ${text.length > longestText ? `${text.slice(0, longestText)}…` : text}`}`

const number = (count: number) => count.toLocaleString('en-US')
const some = (count: number, one: string, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`

/** What the import did, for whoever started it; the last line says it all. */
export function summaryLines(summary: ImportSummary, refusedShown: number): string[] {
  const { rowsRead, rowsRefused, added, changed, confirmed, unchanged, older, missing, listings, refusedFile } = summary
  const lines = [...summary.notes].map(
    ([note, { count, lines }]) => `Note: ${some(count, 'row')}: ${note} (line ${lines.join(', ')}${count > lines.length ? ', …' : ''}).`,
  )
  if (refusedFile) {
    const more = rowsRefused > refusedShown ? ` ${number(rowsRefused - refusedShown)} more than shown above.` : ''
    lines.push(`${some(rowsRefused, 'row was', 'rows were')} refused and left out; see ${refusedFile}.${more}`)
  }
  if (summary.refusedWords === null)
    lines.push('Too many rows were refused to say which licenses have vanished: none was marked as missing.')
  if (older > 0) lines.push(`${some(older, 'row')} left out: the register knows something newer.`)
  const total = added + changed + missing + listings.added + listings.changed + listings.removed
  const details = [
    `${number(added)} licenses added`,
    `${number(changed)} changed`,
    `${number(missing)} missing`,
    `${number(confirmed + unchanged)} the same`,
    `listings: ${number(listings.added)} added, ${number(listings.changed)} changed, ${number(listings.removed)} removed`,
  ].join(', ')
  lines.push(
    summary.isComplete
      ? `${some(rowsRead, 'row')} read, ${number(total)} changes: ${details}.`
      : `Stopped after ${some(rowsRead, 'row')}: ${details}. Run it again to go on.`,
  )
  return lines
}
