// npm test: checks what the specification requires, on a machine that may have only Node and npm. The last line begins with
// "N passed, N failed". With `-- all`, runs everything that CI runs; with `-- unit faults …`, only those stages.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { ensureBuilt } from './lib/build.mjs'
import { runChecks } from './lib/checks.mjs'
import { ensureChromium } from './lib/chromium.mjs'
import { auditSignatures, ensureInstalled, reportSignatures } from './lib/install.mjs'
import { cacheDir, nodeEnvironment, pinnedNode, readJson, root, ScriptError } from './lib/project.mjs'
import { countPlaywright, countVitest, createScratch } from './lib/test-run.mjs'
import { grepOf, readSpecification } from './specification.mjs'

const stages = {
  check: { title: 'Format, lint and types', run: runChecks },
  signatures: { title: 'Signatures of the packages', run: async () => reportSignatures(await signatures) },
  unit: { title: 'Unit tests', run: () => runVitest('unit') },
  integration: { title: 'Integration tests', run: () => runVitest('integration') },
  faults: { title: 'Faults', run: () => runVitest('faults') },
  cluster: { title: 'Failovers of a PostgreSQL cluster', run: runCluster },
  installs: {
    title: 'Fresh installs',
    async run() {
      await ensureBuilt()
      return runVitest('installs')
    },
  },
  specified: {
    title: 'End-to-end tests of the specification',
    run: () => runPlaywright(['--grep', grepOf(readSpecification(), 'tests/e2e')]),
  },
  e2e: { title: 'End-to-end tests', run: () => runPlaywright() },
}
/** The default verifies the specification. `all` runs `e2e` instead of `specified`, and more: docs/decisions/034-what-npm-test-runs.md. */
const usual = ['check', 'unit', 'integration', 'specified']
const all = ['check', 'signatures', 'unit', 'integration', 'faults', 'cluster', 'e2e', 'installs']
/** Reports of the tests that ran, which include all tests of the specification. The stage `specified` writes the report `e2e`. */
const reporting = ['unit', 'integration', 'e2e']

/** The exit code of tests/cluster/run.ts if the programs are missing. */
const skippedCode = 77

const started = Date.now()
const given = process.argv.slice(2)
const asked = given.length === 0 ? usual : given.flatMap((name) => (name === 'all' ? all : [name]))
const total = { passed: 0, failed: 0, skipped: 0 }
const failures = []
const scratch = createScratch()
/** The check of signatures, which runs alongside the stages before its own. */
let signatures
process.once('exit', scratch.remove)
const unknown = asked.filter((name) => !(name in stages))
if (unknown.length > 0) {
  console.error(`There is no stage "${unknown.join('", "')}". Choose from ${['all', ...Object.keys(stages)].join(', ')}.`)
  total.failed++
} else {
  await attempt('Packages', async () => {
    await ensureInstalled({ tools: true })
    return { passed: 0, failed: 0, skipped: 0 }
  })
  // No other stage can run without the packages.
  if (total.failed === 0) {
    const opensPages = asked.includes('specified') || asked.includes('e2e')
    if (opensPages && asked.length > 1) buildAhead()
    if (asked.includes('signatures')) signatures = auditSignatures()
    for (const name of asked) await attempt(stages[name].title, stages[name].run)
    if (opensPages) await attempt('Size of first loads', weighFirstLoads)
    if (opensPages && asked.includes('unit') && asked.includes('integration'))
      await attempt('The specification, sentence by sentence', runSpecification)
  }
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
// Repeated at the end, because people read a log's last lines.
if (failures.length > 0) console.log(['\nFailed:', ...failures].join('\n  '))
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`)
process.exitCode = total.failed > 0 ? 1 : 0

/** Runs a stage and adds its counts; a stage that crashes counts as a failure. */
async function attempt(title, run) {
  const begun = Date.now()
  console.log(`\n── ${title}`)
  let count
  try {
    count = await run()
  } catch (error) {
    console.error(error instanceof ScriptError ? error.message : error)
    count = { passed: 0, failed: 1, skipped: 0 }
  }
  for (const key of Object.keys(total)) total[key] += count[key]
  // A failure without a test is listed under its stage.
  failures.push(...(count.failures?.length > 0 ? count.failures : count.failed > 0 ? [title] : []))
  const seconds = (from) => ((Date.now() - from) / 1000).toFixed(1)
  console.log(`── ${title}: ${count.passed} passed, ${count.failed} failed, ${seconds(begun)} s (${seconds(started)} s in all)`)
}

async function runVitest(project) {
  const report = reportFile(project)
  const args = ['run', '--project', project, '--silent=passed-only', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await run(['node_modules/vitest/vitest.mjs', ...args], { TMPDIR: scratch.dir })
  const result = readJson(report)
  if (!result) throw new ScriptError(`The ${project} tests ended (${code}) without a report.`)
  return judged(countVitest(result, root), code)
}

/**
 * Builds in parallel with the preceding stages, which use only half of the CPU. If it fails, the end-to-end stage retries and reports why.
 */
function buildAhead() {
  const build = new URL('lib/build.mjs', import.meta.url).href
  const script = `import(${JSON.stringify(build)}).then(({ ensureBuilt }) => ensureBuilt())`
  spawn(process.execPath, ['-e', script], { cwd: root, stdio: 'ignore' }).once('error', () => {})
}

async function runPlaywright(args = []) {
  await ensureBuilt()
  const chromium = ensureChromium()
  const report = reportFile('e2e')
  const code = await run(['node_modules/@playwright/test/cli.js', 'test', ...args], {
    ...(chromium ? { CHROMIUM: chromium } : {}),
    E2E_REPORT: report,
    E2E_DATA_DIR: path.join(scratch.dir, 'e2e'),
  })
  const result = readJson(report)
  if (!result?.stats) throw new ScriptError(`The end-to-end tests ended (${code}) without a report.`)
  return judged(countPlaywright(result), code)
}

/** The short form of `npm run test:cluster`, which reports missing programs. */
async function runCluster() {
  const report = reportFile('cluster')
  // A busy CI machine may take longer than the 2 s that the full form allows.
  const args = ['--failovers', '2', '--pairs', '400', '--back', '6000', '--if-present', '--faults', report]
  const code = await run(['tests/cluster/run.ts', ...args], { TMPDIR: scratch.dir })
  const failures = (readJson(report) ?? []).slice(0, 10).map((fault) => `A failover: ${fault}`)
  return { passed: code === 0 ? 1 : 0, failed: code === 0 || code === skippedCode ? 0 : 1, skipped: code === skippedCode ? 1 : 0, failures }
}

async function weighFirstLoads() {
  await ensureBuilt()
  const code = await run(['scripts/first-load.mjs', '--hold'])
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 }
}

async function runSpecification() {
  const code = await run(['scripts/specification.mjs', '--complete', '--ran', ...reporting.map(reportPath)])
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 }
}

/** A run that failed without a failed test, or ran no tests, counts as one failure. */
function judged(count, code) {
  if (count.failed === 0 && code !== 0) return { ...count, failed: 1 }
  if (count.failed === 0 && count.passed === 0) {
    console.error('No test ran.')
    return { ...count, failed: 1 }
  }
  return count
}

function reportPath(name) {
  return path.join(cacheDir, `${name}-report.json`)
}

function reportFile(name) {
  const file = reportPath(name)
  fs.mkdirSync(cacheDir, { recursive: true })
  fs.rmSync(file, { force: true })
  return file
}

function run(args, env = {}) {
  return new Promise((resolve) => {
    // Programs that the tests start by name also use the pinned Node.
    const PATH = [path.dirname(pinnedNode()), process.env.PATH].join(path.delimiter)
    const child = spawn(pinnedNode(), args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: nodeEnvironment({ PATH, ...env }) })
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code ?? signal))
  })
}
