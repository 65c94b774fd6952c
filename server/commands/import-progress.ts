import { MultiBar, Presets, type SingleBar } from 'cli-progress'

export type ImportProgress = {
  read(bytes: number): void
  placed(done: number, total: number): void
  /** Prints a line without tearing the bar. */
  say(line: string): void
  stop(): void
}

/** A bar on a terminal, a line at every tenth elsewhere: first by the bytes of the file, then by the listings to work out. */
export function importProgress(bytes: number): ImportProgress {
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
    if (tenth > said) console.log(`${stage}: ${tenth * 10} %`)
    said = Math.max(said, tenth)
  }
}
