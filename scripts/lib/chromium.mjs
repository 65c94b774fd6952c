import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { pinnedNode, root, ScriptError } from './project.mjs'

// Prefers the headless shell: it draws no window, and runs the tests a third faster than full Chromium.
const names = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
]
const places = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium']

/** Commands that install each distribution's Chromium. Package lists are updated first, because outdated lists name missing files. */
const installers = [
  {
    tool: 'apt-get',
    commands: [
      ['apt-get', 'update'],
      ['apt-get', 'install', '-y', '--no-install-recommends', 'chromium-headless-shell'],
      // Some releases don't package the shell separately.
      ['apt-get', 'install', '-y', '--no-install-recommends', 'chromium'],
    ],
  },
  { tool: 'dnf', commands: [['dnf', 'install', '-y', 'chromium']] },
  { tool: 'apk', commands: [['apk', 'add', '--no-cache', 'chromium']] },
  { tool: 'pacman', commands: [['pacman', '-Sy', '--noconfirm', 'chromium']] },
]

/**
 * Finds a working Chromium: CHROMIUM, or else the machine's, or else Playwright's. If none works, installs one, from the distribution if
 * possible and otherwise through Playwright. Returns undefined for Playwright's own.
 */
export function ensureChromium() {
  if (process.env.CHROMIUM) {
    if (runs(process.env.CHROMIUM)) return process.env.CHROMIUM
    throw new ScriptError(`CHROMIUM is set to ${process.env.CHROMIUM}, which doesn't run.`)
  }
  const found = findChromium()
  if (found) return found
  if (hasPlaywrights()) return undefined
  installFromDistribution()
  const installed = findChromium()
  if (installed) return installed
  console.log('Installing Chromium through Playwright…')
  spawnSync(pinnedNode(), ['node_modules/@playwright/test/cli.js', 'install', 'chromium'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (hasPlaywrights()) return undefined
  throw new ScriptError("Chromium wasn't found and couldn't be installed. Install it and set CHROMIUM to its path.")
}

function findChromium() {
  const dirs = (process.env.PATH ?? '').split(path.delimiter)
  const candidates = [...names.flatMap((name) => dirs.map((dir) => path.join(dir, name))), ...places]
  return candidates.find((file) => fs.existsSync(file) && runs(file))
}

/** A file with the right name isn't enough: some distributions install a script in its place that only explains where to get Chromium. */
function runs(file) {
  const { status, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 30_000 })
  return status === 0 && /\d+\.\d+/.test(stdout)
}

function hasPlaywrights() {
  const script = "import('@playwright/test').then((p) => process.exit(require('fs').existsSync(p.chromium.executablePath()) ? 0 : 1))"
  return spawnSync(pinnedNode(), ['-e', script], { cwd: root }).status === 0
}

function installFromDistribution() {
  const installer = installers.find(({ tool }) =>
    (process.env.PATH ?? '').split(path.delimiter).some((dir) => fs.existsSync(path.join(dir, tool))),
  )
  const asRoot = process.getuid?.() === 0 ? [] : spawnSync('sudo', ['-n', 'true']).status === 0 ? ['sudo', '-n'] : undefined
  if (!installer || !asRoot) return
  console.log(`Installing Chromium with ${installer.tool}…`)
  for (const command of installer.commands) {
    const [program, ...args] = [...asRoot, ...command]
    const { status, stderr } = spawnSync(program, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (status !== 0) console.log(`${command.join(' ')} failed (${status}).\n${stderr ?? ''}`)
  }
}
