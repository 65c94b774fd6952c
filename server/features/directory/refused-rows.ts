import fs from 'node:fs'
import path from 'node:path'

export type Refused = { line: number; reason: string; text: string }

export type RefusedRows = {
  add(row: Refused): void
  readonly count: number
  /** Writes what is still held back; answers the file, or null when nothing was refused. */
  close(): string | null
}

const bufferedBytes = 64 * 1024

/** Lists every refused row in `<dataDir>/imports/<time>-<file>.refused.csv`: the line in the file, the reason, the text. */
export function createRefusedRows(dataDir: string, importedFile: string, now: Date): RefusedRows {
  const time = now.toISOString().slice(0, 23).replace(/[:-]/g, '').replace(/[T.]/g, '-')
  const folder = path.join(dataDir, 'imports')
  const file = path.join(folder, `${time}-${path.basename(importedFile).replace(/\.csv$/i, '')}.refused.csv`)
  let waiting = ''
  let count = 0
  const flush = () => {
    fs.mkdirSync(folder, { recursive: true })
    fs.appendFileSync(file, waiting)
    waiting = ''
  }
  return {
    add({ line, reason, text }) {
      if (count === 0) waiting = 'line,reason,text\n'
      count++
      waiting += `${line},${quoted(reason)},${quoted(text)}\n`
      if (waiting.length > bufferedBytes) flush()
    },
    get count() {
      return count
    },
    close() {
      if (waiting !== '') flush()
      return count > 0 ? file : null
    },
  }
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
