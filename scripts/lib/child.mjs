import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { nodeEnvironment, pinnedNode, root } from './project.mjs'

/**
 * Runs a program with the pinned Node in our place: it has our terminal, gets our signals, and ends us with its exit code.
 * It notices our own end by the channel between us.
 */
export function runInOurPlace(args, env = {}) {
  const child = spawn(pinnedNode(), args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: nodeEnvironment(env) })
  // A terminal sends its Ctrl-C to the child as well; here it only must not end us first.
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

/** npm dies at once of a SIGTERM and passes nothing on: calls back when it, or the shell that it runs us in, is gone. */
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

/** Our parent and, where the system tells, its parent. */
function ancestors() {
  try {
    const stat = fs.readFileSync(`/proc/${process.ppid}/stat`, 'utf8')
    return [process.ppid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]
  } catch {
    return [process.ppid]
  }
}
