import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { nodeEnvironment, pinnedNode, root } from './project.mjs'

/**
 * Runs a program with the pinned Node in place of this process: it gets our terminal and our signals, and we exit with its exit
 * code. The IPC channel lets it notice when we exit.
 */
export function runInOurPlace(args, env = {}) {
  const child = spawn(pinnedNode(), args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: nodeEnvironment(env) })
  // A terminal sends Ctrl-C to the child as well; it just must not end this process first.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  whenOrphaned(() => child.kill('SIGTERM'))
  child.on('error', (error) => {
    console.error(error.message)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
  return child
}

/** npm exits immediately on SIGTERM without forwarding it: calls back when npm, or the shell it runs us in, has exited. */
export function whenOrphaned(callback) {
  if (!process.env.npm_lifecycle_event) return
  const lineage = ancestors()
  const timer = setInterval(() => {
    if (ancestors().join() === lineage.join()) return
    clearInterval(timer)
    callback()
  }, 500)
  timer.unref()
}

/** Our parent's ID and, if available, its parent's. */
function ancestors() {
  try {
    const stat = fs.readFileSync(`/proc/${process.ppid}/stat`, 'utf8')
    return [process.ppid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]
  } catch {
    return [process.ppid]
  }
}
