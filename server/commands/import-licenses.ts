// npm run licenses:import -- FILE.csv [--source "Who is named as the source"]
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ToldError } from '../error-line.ts'
import { HeaderError, importLicenses } from '../features/directory/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { importProgress } from './import-progress.ts'
import { refusedLine, summaryLines } from './import-report.ts'
import { withDatabase } from './with-database.ts'

const maxRefusedShown = 20

const { values, positionals } = parseArgs({ allowPositionals: true, options: { source: { type: 'string' } } })
const [file] = positionals
if (file === undefined || positionals.length > 1) {
  console.error('Which file? npm run licenses:import -- FILE.csv [--source "Who is named as the source"]')
  process.exit(1)
}

await withDatabase(async ({ config, db, signal }) => {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw new ToldError(`There is no file ${file}.`)
  const progress = importProgress(stats.size)
  let refused = 0
  try {
    const summary = await importLicenses(
      { db, clock: systemClock },
      {
        file,
        dataDir: config.dataDir,
        signal,
        onBytes: progress.read,
        onPlaced: progress.placed,
        onRefused: (row) => {
          if (refused++ < maxRefusedShown) progress.say(refusedLine(row))
        },
        ...(values.source ? { source: values.source } : {}),
      },
    )
    progress.stop()
    for (const line of summaryLines(summary, maxRefusedShown)) console.log(line)
  } catch (error) {
    progress.stop()
    throw error instanceof HeaderError ? new ToldError(error.message) : error
  }
})
