import { spawn } from 'node:child_process'
import type net from 'node:net'

/**
 * Stops a process if this one dies without doing so (kill -9): a shell in its own session waits for our end of a pipe to close.
 * Returns a function that cancels it.
 */
export function stopWithUs(pid: number): () => void {
  if (process.platform === 'win32') return () => {}
  // SIGINT is PostgreSQL's fast shutdown.
  const shell = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$0"', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  })
  shell.on('error', () => {})
  shell.unref()
  ;(shell.stdin as unknown as net.Socket).unref()
  return () => shell.kill('SIGKILL')
}
