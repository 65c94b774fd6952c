import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { preparedBinaries } from './embedded/binaries.ts'
import { appRole, type Cluster, clusterAt, ensureCluster, keptPassword, superuser } from './embedded/cluster.ts'
import { ensureDatabase } from './embedded/ensure-database.ts'
import { type Address, becomeGuest, type Claim, claimOwnership, hasGuests, latestOwner, type OwnerState } from './embedded/ownership.ts'
import { adoptPostmaster, clearLeftovers, type Postmaster, startPostmaster } from './embedded/postmaster.ts'

export type EmbeddedOptions = {
  dataDir: string
  /**
   * A server restarts a database that crashed, and takes over when the owner that it is attached to goes. A command does
   * neither: its work is lost anyway, and it is told so.
   */
  as: 'server' | 'command'
  log: { info(message: string): void; warn(message: string): void }
  /** Called at most once, with words for people, when the database is gone for good. */
  onLost?: (reason: string) => void
  /** Settings of PostgreSQL, for tests alone. */
  settings?: Record<string, string>
}

export type Embedded = {
  url: string
  /** As the cluster's superuser, in the database `postgres`. */
  adminUrl: string
  /** Does this process run the cluster, or is it attached to another one's? May change for a server. */
  isOwner(): boolean
  /** Stops the cluster when this process owns it. Close the pools first. */
  stop(): Promise<void>
}

const watchEveryMs = 500
const longestWaitMs = 60_000
/** A database that keeps crashing is not restarted forever. */
const mostRestartsPerMinute = 5

/** What this process is to the cluster: the one that runs it, or one of those that use it. */
type Role = { address: Address; owned?: { claim: Claim; postmaster: Postmaster } }

/**
 * Starts the PostgreSQL of a data folder, or attaches to the one that another live process runs there. However many
 * start at once, one becomes the owner and the others attach; when the owner goes, one of them becomes it. The last one
 * stops the cluster.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log } = options
  const cluster = clusterAt(options.dataDir)
  // Every process is known as a guest, so that an owner can tell whether it is the last one.
  const leaveGuests = becomeGuest(cluster.home)
  let role = await enter(cluster, options).catch((error) => {
    leaveGuests()
    throw error
  })
  const { address } = role
  let isStopping = false
  let repair: Promise<void> | undefined
  let restarts: number[] = []

  function lose(reason: string): void {
    if (isStopping) return
    isStopping = true
    options.onLost?.(reason)
  }

  /** Waits until the database, or who runs it, goes from under us, and does what is right then. */
  async function watch(): Promise<void> {
    while (!isStopping) {
      const wasLeft = role.owned ? await role.owned.postmaster.gone.then(() => false) : await ownerGone(cluster, () => isStopping)
      if (isStopping) return
      if (!wasLeft) {
        restarts = [...restarts.filter((at) => at > Date.now() - 60_000), Date.now()]
        if (options.as === 'command' || restarts.length > mostRestartsPerMinute) {
          role.owned?.claim.update('stopped')
          return lose('The database has stopped, or the process that ran it.')
        }
        log.warn(
          role.owned ? 'the database stopped unexpectedly; starting it again' : 'the process that ran the database died; taking over',
        )
      }
      repair = takeUp()
      await repair
    }
  }

  async function takeUp(): Promise<void> {
    role = role.owned ? await run(cluster, options, role.owned.claim, { address }) : await enter(cluster, options)
    // The pools know the old address alone.
    if (role.address.host !== address.host || role.address.port !== address.port) lose('The database has moved to another port.')
  }

  watch().catch((error: Error) => lose(error.message))
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

/** Becomes the owner and starts the cluster, or waits until its owner has it ready. */
async function enter(cluster: Cluster, options: EmbeddedOptions): Promise<Role> {
  for (const deadline = Date.now() + longestWaitMs; ; ) {
    const entry = claimOwnership(cluster.home)
    if ('claim' in entry) return run(cluster, options, entry.claim, entry.previous)
    const { owner } = entry
    if (owner.state === 'ready' && owner.address) return { address: owner.address }
    if (Date.now() > deadline)
      throw new Error(`Another process (${owner.pid}) is starting the database in ${cluster.home}, and does not come to an end.`)
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
      await ensureDatabase(urlOf(cluster, postmaster.address, superuser, 'postgres'), appRole, keptPassword(cluster.home))
    }
    claim.update('ready', postmaster.address)
    return { address: postmaster.address, owned: { claim, postmaster } }
  } catch (error) {
    await postmaster?.stop()
    claim.update('stopped')
    throw error
  }
}

/** Stops the cluster, or leaves it running to those who still use it. */
async function stopOrLeave(cluster: Cluster, options: EmbeddedOptions, { claim, postmaster }: NonNullable<Role['owned']>): Promise<void> {
  claim.update('stopping')
  if (hasGuests(cluster.home)) {
    postmaster.leave()
    claim.update('left', postmaster.address)
    // They may all have gone meanwhile, having seen that somebody else was still the owner.
    await stopIfLast(cluster, options)
  } else {
    await postmaster.stop()
    claim.update('stopped')
  }
}

/** Takes up a cluster that its owner left, to stop it, when nobody else is there to do so. */
async function stopIfLast(cluster: Cluster, options: EmbeddedOptions): Promise<void> {
  if (latestOwner(cluster.home).owner?.state !== 'left' || hasGuests(cluster.home)) return
  const entry = claimOwnership(cluster.home)
  if (!('claim' in entry)) return
  const { owned } = await run(cluster, options, entry.claim, entry.previous)
  if (owned) await stopOrLeave(cluster, options, owned)
}

/** Waits until the owner is gone; did it leave the cluster running for us? */
async function ownerGone(cluster: Cluster, isStopping: () => boolean): Promise<boolean> {
  for (;;) {
    const { owner, isLive } = latestOwner(cluster.home)
    if (isStopping() || !isLive) return owner?.state === 'left'
    await sleep(watchEveryMs, undefined, { ref: false })
  }
}

function urlOf(cluster: Cluster, { host, port }: Address, role: string, database: string): string {
  const credentials = `${role}:${keptPassword(cluster.home)}`
  if (!path.isAbsolute(host)) return `postgres://${credentials}@${host}:${port}/${database}`
  return `postgres://${credentials}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}
