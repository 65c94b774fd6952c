// npm run dev: the server started again, and the page updated, on every change of their code. One address for both.
import { spawn } from 'node:child_process'
import net from 'node:net'
import { whenOrphaned } from './lib/child.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { main, nodeEnvironment, pinnedNode, root, ScriptError } from './lib/project.mjs'

await main(async () => {
  await ensureInstalled({ tools: true })
  const port = Number(process.env.PORT || 3000)
  if (!(await isFree(port)))
    throw new ScriptError(`Port ${port} is in use. Stop what runs there, or choose another one: PORT=${port + 1} npm run dev`)
  const apiPort = await freePort()
  const apiUrl = `http://127.0.0.1:${apiPort}`
  const publicUrl = process.env.PUBLIC_URL || `http://localhost:${port}`

  const vite = run(['node_modules/vite/bin/vite.js', '--logLevel', 'warn'], {
    API_URL: apiUrl,
    PORT: String(port),
    NODE_ENV: 'development',
  })
  // It prints the address when it is ready.
  const server = run(['--watch', '--watch-preserve-output', 'server/main.ts'], {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: String(apiPort),
    PUBLIC_URL: publicUrl,
  })
  stopTogether([vite, server])
})

function run(args, env) {
  return spawn(pinnedNode(), args, { cwd: root, stdio: 'inherit', env: nodeEnvironment(env) })
}

/** However one of them ends, or we are asked to: the other one ends too, and then we do. */
function stopTogether(children) {
  let isAsked = false
  const left = new Set(children)
  const stop = () => {
    for (const child of left) child.kill('SIGTERM')
  }
  const ask = () => {
    isAsked = true
    stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, ask)
  whenOrphaned(ask)
  for (const child of children) {
    child.once('exit', () => {
      left.delete(child)
      stop()
      if (left.size === 0) process.exit(isAsked ? 0 : 1)
    })
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = net.createServer().once('error', () => resolve(false))
    probe.listen(port, () => probe.close(() => resolve(true)))
  })
}
