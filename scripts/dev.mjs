// npm run dev: restarts the server and updates the page whenever their code changes. Both use the same address.
import { spawn } from 'node:child_process'
import net from 'node:net'
import { ensureInstalled } from './lib/install.mjs'
import { main, nodeEnvironment, pinnedNode, root, ScriptError, whenOrphaned } from './lib/project.mjs'

await main(async () => {
  await ensureInstalled({ tools: true })
  const port = Number(process.env.PORT || 3000)
  if (!(await isFree(port)))
    throw new ScriptError(`Port ${port} is in use. Stop the program that uses it, or choose another one: PORT=${port + 1} npm run dev`)
  const apiPort = await freePort()
  const apiUrl = `http://127.0.0.1:${apiPort}`
  const publicUrl = process.env.PUBLIC_URL || `http://localhost:${port}`

  const vite = run(['node_modules/vite/bin/vite.js', '--logLevel', 'warn'], {
    API_URL: apiUrl,
    PORT: String(port),
    NODE_ENV: 'development',
  })
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

/** If either process ends, or this one receives a stop signal, stops the other and exits. */
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
