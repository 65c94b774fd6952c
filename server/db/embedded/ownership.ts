import fs from 'node:fs'
import path from 'node:path'
import { isSameProcess, type ProcessIdentity, thisProcess } from './process-identity.ts'

/** Where the running cluster is reached: a folder with a socket, or a loopback address. */
export type Address = { host: string; port: number }

export type Owner = ProcessIdentity & { address?: Address; state: 'starting' | 'ready' | 'stopped' }

type Generation = { number: number; owner: Owner | undefined }

/**
 * Who runs the cluster. Each owner takes the next number by making `owner.<number>.json`, which only one process can;
 * a file is followed by the next when its owner has stopped or is dead. A number is never made free again, so nobody
 * can take over from an owner that has meanwhile been followed by another.
 */
export type Claim = {
  update(owner: Pick<Owner, 'state'> & { address?: Address }): void
}

/** Makes this process the owner, or answers the live one. */
export function claimOwnership(home: string): { claim: Claim; previous: Owner | undefined } | { owner: Owner } {
  for (;;) {
    const latest = latestGeneration(home)
    if (latest?.owner && isLive(latest.owner)) return { owner: latest.owner }
    const number = (latest?.number ?? 0) + 1
    if (!make(home, number)) continue
    // Whoever was slow here may have made a number that is long past.
    if (latestGeneration(home)?.number !== number) {
      fs.rmSync(fileOf(home, number), { force: true })
      continue
    }
    for (const old of generations(home)) if (old < number) fs.rmSync(fileOf(home, old), { force: true })
    return { claim: { update: (owner) => rewrite(home, number, owner) }, previous: latest?.owner }
  }
}

/** The present owner, or undefined when it has stopped or is dead. */
export function liveOwner(home: string): Owner | undefined {
  const owner = latestGeneration(home)?.owner
  return owner && isLive(owner) ? owner : undefined
}

const isLive = (owner: Owner) => owner.state !== 'stopped' && isSameProcess(owner)

const fileOf = (home: string, number: number) => path.join(home, `owner.${number}.json`)

function generations(home: string): number[] {
  return fs.readdirSync(home).flatMap((name) => {
    const number = /^owner\.(\d+)\.json$/.exec(name)?.[1]
    return number ? [Number(number)] : []
  })
}

function latestGeneration(home: string): Generation | undefined {
  const numbers = generations(home)
  if (numbers.length === 0) return undefined
  const number = Math.max(...numbers)
  return { number, owner: readOwner(fileOf(home, number)) }
}

function readOwner(file: string): Owner | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Owner
  } catch (error) {
    // Unreadable to us is not the same as unowned.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') {
      throw new Error(`The database in ${path.dirname(file)} belongs to another user. Start as that user, or choose another DATA_DIR.`, {
        cause: error,
      })
    }
    return undefined
  }
}

/** The file appears with its content or not at all: it is written under another name, then linked. */
function make(home: string, number: number): boolean {
  const draft = path.join(home, `owner.draft-${process.pid}-${number}`)
  fs.writeFileSync(draft, JSON.stringify({ ...thisProcess(), state: 'starting' } satisfies Owner), { mode: 0o600 })
  try {
    fs.linkSync(draft, fileOf(home, number))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

function rewrite(home: string, number: number, owner: Pick<Owner, 'state'> & { address?: Address }): void {
  const draft = path.join(home, `owner.draft-${process.pid}-${number}`)
  fs.writeFileSync(draft, JSON.stringify({ ...thisProcess(), ...owner } satisfies Owner), { mode: 0o600 })
  fs.renameSync(draft, fileOf(home, number))
}
