import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { startEmbedded } from '#server/db/embedded.ts'
import { preparedDataDir } from '#tests/support/prepared-cluster.ts'
import { kill, processesLike, startProcess } from '#tests/support/processes.ts'

/** Each round kills the whole server, one connection's process, the writer, or the writer and the server together. */
const victims = ['postmaster', 'backend', 'writer', 'postmaster', 'everything', 'backend', 'writer', 'everything'] as const

test('loses no confirmed write when the database and the writer are killed repeatedly', { timeout: 120_000 }, async () => {
  const dataDir = preparedDataDir()
  const cluster = path.join(dataDir, 'pg')
  const postmaster = () => processesLike(`postgres -D ${cluster} `)
  const confirmed = new Set<number>()

  try {
    let writer = startProcess('ledger-writer.ts', [dataDir, '1'])
    const collect = () => {
      for (const { number } of writer.events) confirmed.add(number as number)
    }
    for (const [round, victim] of victims.entries()) {
      const before = writer.events.length
      await expect.poll(() => writer.events.length, { timeout: 30_000 }).toBeGreaterThan(before + 50)
      await sleep(Math.random() * 200)
      if (victim === 'postmaster' || victim === 'everything') postmaster().forEach(kill)
      if (victim === 'backend') processesLike('postgres: sungrove sungrove', postmaster()).slice(0, 1).forEach(kill)
      if (victim === 'writer' || victim === 'everything') {
        await writer.end('SIGKILL')
        collect()
        writer = startProcess('ledger-writer.ts', [dataDir, String((round + 1) * 1_000_000)])
      }
    }
    await expect.poll(() => writer.events.length, { timeout: 30_000 }).toBeGreaterThan(50)
    await writer.end('SIGKILL')
    collect()

    const embedded = await startEmbedded({ dataDir, as: 'command', log: { info() {}, warn() {} } })
    const client = new pg.Client(embedded.url)
    await client.connect()
    const { rows } = await client.query<{ number: number }>('select number from ledger')
    const kept = new Set(rows.map(({ number }) => number))
    const balances = await client.query<{ entries: string }>('select sum(entries) as entries from balances')
    await client.end()
    await embedded.stop()

    expect(confirmed.size).toBeGreaterThan(500)
    expect([...confirmed].filter((number) => !kept.has(number))).toEqual([])
    // A partially committed transaction would show here.
    expect(Number(balances.rows[0]?.entries)).toBe(kept.size)
  } finally {
    processesLike(`ledger-writer.ts ${dataDir}`).forEach(kill)
    postmaster().forEach(kill)
    await expect.poll(postmaster).toEqual([])
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
})
