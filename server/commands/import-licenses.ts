// npm run licenses:import -- FILE.csv [--source "Name of the source"]
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { MultiBar, Presets, type SingleBar } from 'cli-progress'
import { UserFacingError } from '#server/error-line.ts'
import { HeaderError, importLicenses } from '#server/features/directory/index.ts'
import { systemClock } from '#server/kernel/context.ts'
import { refusedPrinter, summaryLines } from './import-report.ts'
import { withDatabase } from './run-command.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { source: { type: 'string' } } })
const [file] = positionals
if (file === undefined || positionals.length > 1) {
  console.error('Which file? npm run licenses:import -- FILE.csv [--source "Name of the source"]')
  process.exit(1)
}

await withDatabase(async ({ config, db, signal }) => {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw new UserFacingError(`File not found: ${file}.`)
  const progress = importProgress(stats.size)
  try {
    const summary = await importLicenses(
      { db, clock: systemClock },
      {
        file,
        dataDir: config.dataDir,
        signal,
        onBytes: progress.read,
        onPlaced: progress.placed,
        onRefused: refusedPrinter(progress.say),
        ...(values.source ? { source: values.source } : {}),
      },
    )
    progress.stop()
    for (const line of summaryLines(summary)) console.log(line)
  } catch (error) {
    progress.stop()
    throw error instanceof HeaderError ? new UserFacingError(error.message) : error
  }
})

type ImportProgress = {
  read(bytes: number): void
  placed(done: number, total: number): void
  say(line: string): void
  stop(): void
}

/** A progress bar on a terminal, or a line per 10% elsewhere. Counts the file's bytes first, then the licenses whose listing is due. */
function importProgress(bytes: number): ImportProgress {
  return process.stdout.isTTY ? bars(bytes) : lines(bytes)
}

function bars(bytes: number): ImportProgress {
  const multi = new MultiBar(
    { format: '{stage} {bar} {percentage} %  {eta_formatted} left', hideCursor: true, stopOnComplete: false, etaBuffer: 200 },
    Presets.shades_classic,
  )
  const reading = multi.create(Math.max(1, bytes), 0, { stage: 'Reading ' })
  let placing: SingleBar | undefined
  return {
    read: (count) => reading.increment(count),
    placed(done, total) {
      placing ??= multi.create(Math.max(1, total), 0, { stage: 'Listings' })
      placing.update(done)
    },
    say: (line) => multi.log(`${line}\n`),
    stop: () => multi.stop(),
  }
}

function lines(bytes: number): ImportProgress {
  const reading = tenths('Reading')
  const placing = tenths('Listings')
  let read = 0
  return {
    read(count) {
      read += count
      reading(read / Math.max(1, bytes))
    },
    placed: (done, total) => placing(done / Math.max(1, total)),
    say: (line) => console.log(line),
    stop() {},
  }
}

function tenths(stage: string): (share: number) => void {
  let said = 0
  return (share) => {
    const tenth = Math.floor(Math.min(1, share) * 10)
    if (tenth > said) console.log(`${stage}: ${tenth * 10}%`)
    said = Math.max(said, tenth)
  }
}
