import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Figures } from './measure.ts'

export type Row = {
  route: string
  bytes: number
  floor: Figures
  measured: Figures
  target: number | null
  /** Statements of one request, and how many of those PostgreSQL planned just for it. */
  statements: number
  planned: number
}

export const ratioOf = (row: Row): number => row.measured.requestsPerSecond / row.floor.requestsPerSecond

const number = (value: number | null, digits = 0) => (value === null ? '–' : value.toFixed(digits))

export function table(rows: Row[]): string {
  const head = ['route', 'bytes', 'floor req/s', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs/req', 'statements', 'planned', 'ratio', 'target']
  const lines = rows.map((row) => [
    row.route,
    String(row.bytes),
    number(row.floor.requestsPerSecond),
    number(row.measured.requestsPerSecond),
    number(row.measured.p50Ms, 1),
    number(row.measured.p99Ms, 1),
    number(row.measured.cpuMicrosecondsPerRequest),
    String(row.statements),
    String(row.planned),
    number(ratioOf(row), 3),
    row.target === null ? '' : `≥ ${row.target}`,
  ])
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map((line) => (line[column] as string).length)))
  return [head, ...lines]
    .map((line) =>
      line
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] as number) : cell.padStart(widths[column] as number)))
        .join('  '),
    )
    .join('\n')
}

/** Saves a run to bench/results, named after its time and kind. Returns the file's path. */
export function save(content: object, startedAt: Date, kind = ''): string {
  const folder = path.join(import.meta.dirname, 'results')
  fs.mkdirSync(folder, { recursive: true })
  const file = path.join(folder, `${startedAt.toISOString().slice(0, 16).replace(/[-:]/g, '')}${kind && `-${kind}`}.json`)
  const machine = {
    cpus: os.cpus().length,
    model: os.cpus()[0]?.model,
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    node: process.version,
    /** One-minute load average at the end, including the benchmark's own. */
    load: os.loadavg()[0],
  }
  fs.writeFileSync(file, `${JSON.stringify({ startedAt, machine, ...content }, null, 2)}\n`)
  return file
}
