import { type ChildProcess, spawn } from 'node:child_process'
import net from 'node:net'
import { projectRoot } from '#server/config.ts'
import { node } from './processes.ts'

export type ServerProcess = {
  child: ChildProcess
  url: string
  /** Resolves with the exit code. */
  ended: Promise<number | null>
}

/** Starts the whole server as in production on a free port and waits until it is ready. Rejects with its output if it exits first. */
export async function startServerProcess(dataDir: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const port = env.PORT ?? (await freePort())
  const child = spawn(node, ['server/main.ts'], {
    cwd: projectRoot,
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), DATA_DIR: dataDir, DEMO_DATA: 'off', LOG_LEVEL: 'warn', ...env },
    // The IPC channel lets the server notice if this process exits without stopping it.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  let said = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (data) => {
        said += data
        if (/ is ready at /.test(said)) resolve()
      })
    }
    void ended.then(() => reject(new Error(`The server ended before it was ready:\n${said}`)))
  })
  return { child, url: `http://127.0.0.1:${port}`, ended }
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
