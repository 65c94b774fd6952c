import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import { projectRoot } from '../../server/config.ts'
import { temporaryDataDir } from './embedded-server.ts'
import { node } from './processes.ts'

export type ServerProcess = {
  child: ChildProcess
  url: string
  port: number
  dataDir: string
  /** All that it wrote. */
  output(): string
  /** Resolves with the exit code. */
  ended: Promise<number | null>
  remove(): Promise<void>
}

/** Starts the whole server, as production runs it, on a free port and an empty data folder, and waits until it is ready. */
export async function startServerProcess(env: Record<string, string> = {}): Promise<ServerProcess> {
  const port = await freePort()
  const dataDir = temporaryDataDir()
  const child = spawn(node, ['server/main.ts'], {
    cwd: projectRoot,
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), DATA_DIR: dataDir, DEMO_DATA: 'off', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        output += data
        if (/ is ready at /.test(output)) resolve()
      })
    }
    void ended.then(() => reject(new Error(`The server ended before it was ready:\n${output}`)))
  })
  const remove = async () => {
    child.kill('SIGKILL')
    await ended
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
  await ready.catch(async (error) => {
    await remove()
    throw error
  })
  return { child, url: `http://127.0.0.1:${port}`, port, dataDir, output: () => output, ended, remove }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().once('error', reject)
    probe.listen(0, () => {
      const { port } = probe.address() as net.AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
