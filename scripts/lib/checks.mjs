import { spawn } from 'node:child_process'
import { nodeEnvironment, pinnedNode, root } from './project.mjs'

const tsc = 'node_modules/typescript/bin/tsc'
/** A second checker would repeat most of the type checking, and save a fifth of the time at best, or nothing while other checks run. */
const alone = ['--checkers', '1']
const checks = [
  { name: 'format and lint', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
  { name: 'types of the server', args: [tsc, '-p', '.', '--pretty', ...alone] },
  { name: 'types of the web app', args: [tsc, '-p', 'web', '--pretty', ...alone] },
  { name: 'types of the end-to-end tests', args: [tsc, '-p', 'tests/e2e', '--pretty', ...alone] },
  { name: 'files, exports and packages that nothing uses', args: ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'] },
  { name: 'what docs/specification.md names', args: ['scripts/specification.mjs'] },
  { name: 'wording', args: ['scripts/wording.ts'] },
]

/** Runs all checks in parallel and prints the output of the failed ones; returns how many passed and failed. */
export async function runChecks() {
  const results = await Promise.all(checks.map(runCheck))
  const failed = results.filter((isRight) => !isRight).length
  return { passed: results.length - failed, failed, skipped: 0 }
}

function runCheck({ name, args }) {
  return new Promise((resolve) => {
    const child = spawn(pinnedNode(), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: nodeEnvironment() })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data))
    child.once('error', (error) => {
      said += error.message
    })
    child.once('close', (code) => {
      console.log(`${code === 0 ? '✓' : '✗'} ${name}`)
      if (code !== 0) console.log(said.trimEnd())
      resolve(code === 0)
    })
  })
}
