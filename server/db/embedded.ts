import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { preparedBinaries } from './embedded/binaries.ts'
import { appRole, type Cluster, clusterAt, ensureCluster, ensureDatabase, storedPassword, superuser } from './embedded/cluster.ts'
import { type Address, becomeGuest, type Claim, claimOwnership, hasGuests, latestOwner, type OwnerState } from './embedded/ownership.ts'
import { adoptPostmaster, clearLeftovers, type Postmaster, startPostmaster } from './embedded/postmaster.ts'

export type EmbeddedOptions = {
  dataDir: string
  /**
   * A server restarts a database that crashed, and takes over when the process that owns it dies. A command does neither: its work would be
   * lost anyway, so `onLost` reports the loss.
   */
  as: 'server' | 'command'
  log: { info(message: string): void; warn(message: string): void }
  /** Called at most once, with a human-readable reason, when the database is lost for good. */
  onLost?: (reason: string) => void
  /** PostgreSQL settings, only for databases with disposable data. */
  settings?: Record<string, string>
}

export type Embedded = {
  url: string
  /** Connects as the cluster's superuser to the database `postgres`. */
  adminUrl: string
  /** Whether this process runs the cluster. Otherwise, it is attached to another process's cluster, and may take it over later. */
  isOwner(): boolean
  /** Leaves the cluster, and stops it if no other process uses it. Close the pools first. */
  stop(): Promise<void>
}

const watchEveryMs = 500
const maxWaitMs = 60_000
const maxRestartsPerMinute = 5

/** This process either owns the cluster or is attached to it. */
type Role = { address: Address; owned?: { claim: Claim; postmaster: Postmaster } }

/**
 * Starts a data folder's PostgreSQL, or attaches to the one that another live process runs there. If several processes start at the same
 * time, one becomes the owner and the others attach. When the owner ends, one of them takes over. The last one stops the cluster.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log } = options
  const cluster = clusterAt(options.dataDir)
  // Every process registers before it looks for an owner, even one that becomes the owner itself: see `becomeGuest`.
  const leaveGuests = becomeGuest(cluster.home)
  let role = await enter(cluster, options).catch((error) => {
    leaveGuests()
    throw error
  })
  const { address } = role
  let isStopping = false
  let repair: Promise<void> | undefined
  let restarts: number[] = []

  function reportLoss(reason: string): void {
    if (isStopping) return
    isStopping = true
    options.onLost?.(reason)
  }

  /** Waits until the database or its owner ends, and then restarts, takes over or reports the loss. */
  async function watch(): Promise<void> {
    while (!isStopping) {
      const wasLeft = role.owned ? await role.owned.postmaster.gone.then(() => false) : await waitForOwnerEnd(cluster, () => isStopping)
      if (isStopping) return
      if (!wasLeft) {
        restarts = [...restarts.filter((at) => at > Date.now() - 60_000), Date.now()]
        if (options.as === 'command' || restarts.length > maxRestartsPerMinute) {
          role.owned?.claim.update('stopped')
          return reportLoss('The database or the process that ran it has stopped.')
        }
        log.warn(
          role.owned ? 'the database stopped unexpectedly; starting it again' : 'the process that ran the database died; taking over',
        )
      }
      repair = recover()
      await repair
    }
  }

  async function recover(): Promise<void> {
    role = role.owned ? await run(cluster, options, role.owned.claim, { address }) : await enter(cluster, options)
    // Pools connect only to the old address, so they can't follow the database to a new one.
    if (role.address.host !== address.host || role.address.port !== address.port) reportLoss('The database has moved to a different port.')
  }

  watch().catch((error: Error) => reportLoss(error.message))
  return {
    url: urlOf(cluster, address, appRole, appRole),
    adminUrl: urlOf(cluster, address, superuser, 'postgres'),
    isOwner: () => role.owned !== undefined,
    async stop() {
      isStopping = true
      await repair?.catch(() => {})
      leaveGuests()
      await (role.owned ? stopOrLeave(cluster, options, role.owned) : stopIfLast(cluster, options))
    },
  }
}

/** Becomes the owner and starts the cluster, or waits until its owner has started it. */
async function enter(cluster: Cluster, options: EmbeddedOptions): Promise<Role> {
  for (const deadline = Date.now() + maxWaitMs; ; ) {
    const entry = claimOwnership(cluster.home)
    if ('claim' in entry) return run(cluster, options, entry.claim, entry.previous)
    const { owner } = entry
    if (owner.state === 'ready' && owner.address) return { address: owner.address }
    if (Date.now() > deadline)
      throw new Error(`Another process (${owner.pid}) has been starting the database in ${cluster.home} for too long.`)
    await sleep(50)
  }
}

async function run(
  cluster: Cluster,
  { settings = {}, log }: EmbeddedOptions,
  claim: Claim,
  previous: { address?: Address; state?: OwnerState } | undefined,
): Promise<Role> {
  claim.update('starting')
  let postmaster: Postmaster | undefined
  try {
    const binaries = preparedBinaries(cluster.home, cluster.account)
    if (previous?.state === 'left' && previous.address) postmaster = adoptPostmaster(cluster, binaries, previous.address)
    if (!postmaster) {
      await clearLeftovers(cluster, binaries, log.warn)
      await ensureCluster(cluster, binaries)
      postmaster = await startPostmaster({ cluster, binaries, settings, preferred: previous?.address })
      await ensureDatabase(urlOf(cluster, postmaster.address, superuser, 'postgres'), appRole, storedPassword(cluster.home))
    }
    claim.update('ready', postmaster.address)
    return { address: postmaster.address, owned: { claim, postmaster } }
  } catch (error) {
    await postmaster?.stop()
    claim.update('stopped')
    throw error
  }
}

async function stopOrLeave(cluster: Cluster, options: EmbeddedOptions, { claim, postmaster }: NonNullable<Role['owned']>): Promise<void> {
  claim.update('stopping')
  if (hasGuests(cluster.home)) {
    postmaster.leave()
    claim.update('left', postmaster.address)
    // All guests may have left by now without stopping the cluster, because it still had an owner.
    await stopIfLast(cluster, options)
  } else {
    await postmaster.stop()
    claim.update('stopped')
  }
}

/** Takes over a cluster that its owner left, and stops it, unless another process uses it. */
async function stopIfLast(cluster: Cluster, options: EmbeddedOptions): Promise<void> {
  if (latestOwner(cluster.home).owner?.state !== 'left' || hasGuests(cluster.home)) return
  const entry = claimOwnership(cluster.home)
  if (!('claim' in entry)) return
  const { owned } = await run(cluster, options, entry.claim, entry.previous)
  if (owned) await stopOrLeave(cluster, options, owned)
}

/** Waits until the owner ends. @returns whether it left the cluster running for its guests */
async function waitForOwnerEnd(cluster: Cluster, isStopping: () => boolean): Promise<boolean> {
  for (;;) {
    const { owner, isLive } = latestOwner(cluster.home)
    if (isStopping() || !isLive) return owner?.state === 'left'
    await sleep(watchEveryMs, undefined, { ref: false })
  }
}

function urlOf(cluster: Cluster, { host, port }: Address, role: string, database: string): string {
  const credentials = `${role}:${storedPassword(cluster.home)}`
  if (!path.isAbsolute(host)) return `postgres://${credentials}@${host}:${port}/${database}`
  return `postgres://${credentials}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}
