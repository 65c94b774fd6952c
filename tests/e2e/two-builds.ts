import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { projectRoot } from '#server/config.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { startProcess } from '#tests/support/processes.ts'
import { startSwitchboard } from '#tests/support/switchboard.ts'
import { writeNextBuild } from './next-build.ts'

export type TwoBuilds = {
  origin: string
  /** Deploys the current build, which each test starts with. */
  deployFirst(): void
  /** Deploys the next build, after which no server has the first build's files. */
  deployNext(): void
  close(): Promise<void>
}

/**
 * The site with the current build and the next one on standby: two processes behind one address, using the database of the server
 * under test.
 */
export async function startTwoBuilds(): Promise<TwoBuilds> {
  const nextDist = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-next-'))
  writeNextBuild(path.join(projectRoot, 'dist'), nextDist)
  const dataDir = process.env.E2E_DATA_DIR as string
  const database = await startEmbedded({ dataDir, as: 'command', log: { info() {}, warn() {} } })
  const switchboard = await startSwitchboard()
  const env = {
    ...process.env,
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PUBLIC_URL: switchboard.origin,
    SESSION_SECRET: 'the same for both, as one operator has it',
    RATE_LIMIT_SCALE: '1000',
    MAX_EVENT_LOOP_DELAY_MS: '0',
  }
  const first = startProcess('site-process.ts', [], { env })
  const next = startProcess('site-process.ts', [], { env: { ...env, WEB_APP: nextDist } })
  const close = async () => {
    switchboard.close()
    await Promise.all([first.end('SIGKILL'), next.end('SIGKILL')])
    await database.stop()
    fs.rmSync(nextDist, { recursive: true, force: true })
  }
  const portOf = async (site: typeof first) => Number(new URL(String((await site.waitFor('ready')).origin)).port)
  try {
    const [firstPort, nextPort] = await Promise.all([portOf(first), portOf(next)])
    switchboard.connect(firstPort)
    return {
      origin: switchboard.origin,
      deployFirst: () => switchboard.connect(firstPort),
      deployNext: () => switchboard.connect(nextPort),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
