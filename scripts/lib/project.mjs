// Shared by the scripts. Plain JavaScript for Node 18 or newer, without dependencies: it runs before anything is installed.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** Caches that npm ci may delete with node_modules. */
export const cacheDir = path.join(root, 'node_modules/.cache/sungrove')

/** A failure whose message is printed without a stack trace. */
export class ScriptError extends Error {}

export function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

export const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part).update('\0'), createHash('sha256')).digest('hex')

/** Node's name for this system, as in its packages' names. */
const platformName = process.platform === 'win32' ? 'win' : process.platform
const nodeProgram = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'

/** The packages that contain a Node for this system, as package.json may list them: one per kind, all optional. */
export const packagedNodes = ['node', 'node-bin'].map((name) => ({
  name: `${name}-${platformName}-${process.arch}`,
  program: nodeProgram,
}))

/** The oldest Node that runs TypeScript and that all our packages support. */
export const pinnedMajor = 24

/** The Node that package.json pins; otherwise this one, if it can run TypeScript. */
export function pinnedNode() {
  const candidates = packagedNodes.map(({ name, program }) => path.join(root, 'node_modules', name, program))
  const found = candidates.find((file) => fs.existsSync(file))
  if (found) return found
  if (Number(process.versions.node.split('.')[0]) >= pinnedMajor) return process.execPath
  throw new ScriptError(`There is no packaged Node.js for ${process.platform} on ${process.arch}. Run this with Node.js 24 or newer.`)
}

/** The environment for the pinned Node: caching compiled code saves a third of the startup time. */
export function nodeEnvironment(extra = {}) {
  return { ...process.env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(cacheDir, 'compiled'), ...extra }
}

/** Runs a script; a failure prints one line and sets the exit code 1. */
export async function main(work) {
  try {
    await work()
  } catch (error) {
    console.error(error instanceof ScriptError ? error.message : error)
    process.exit(1)
  }
}
