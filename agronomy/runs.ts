import { meanOf } from './statistics.ts'

/**
 * Runs differ in temperature, light or feed. The check clone is genetically identical in every run, so its deviation in a run from its own
 * mean over the runs is the effect of the run, and is subtracted from every record of that run (unreplicated entries beside a repeated
 * check: W. T. Federer, “Augmented designs”, 1956).
 *
 * The effect isn't shrunk: it is unbiased, and its error (from the few check plants, shared by the whole run) enters the intervals through
 * `checkPlants`.
 */
export type RunRecord = { genotypeId: string; plantId: string; runId: string | null; value: number }

export type RunAdjustment = {
  /** The amount to subtract from the records of a run, in the trait's unit. Other runs aren't adjusted. */
  effects: ReadonlyMap<string, number>
  /** The number of check plants behind each adjusted run's effect. */
  checkPlants: ReadonlyMap<string, number>
  /** Runs without a check or with a different one. Null stands for records without a run. */
  notComparable: (string | null)[]
}

/** Adjusts one trait. `checks`: each run's check clone. A single run needs no adjustment. */
export function adjustForRuns(records: readonly RunRecord[], checks: ReadonlyMap<string, string>): RunAdjustment {
  const sizes = new Map<string | null, number>()
  for (const { runId } of records) sizes.set(runId, (sizes.get(runId) ?? 0) + 1)
  const none: RunAdjustment = { effects: new Map(), checkPlants: new Map(), notComparable: [] }
  if (sizes.size < 2) return none

  const runs = [...sizes.keys()].sort(byName)
  const checkMeans = meansOfChecks(records, checks)
  const group = largestGroup(runs, checks, checkMeans, sizes)
  if (group.length < 2) {
    const largest = runs.reduce((best, run) => ((sizes.get(run) as number) > (sizes.get(best) as number) ? run : best))
    return { ...none, notComparable: runs.filter((run) => run !== largest) }
  }
  const overall = meanOf(group.map((run) => (checkMeans.get(run) as CheckMean).mean))
  return {
    effects: new Map(group.map((run) => [run, (checkMeans.get(run) as CheckMean).mean - overall])),
    checkPlants: new Map(group.map((run) => [run, (checkMeans.get(run) as CheckMean).plants])),
    notComparable: runs.filter((run) => run === null || !group.includes(run)),
  }
}

type CheckMean = { mean: number; plants: number }

/** Each plant counts once, however often it was measured. */
function meansOfChecks(records: readonly RunRecord[], checks: ReadonlyMap<string, string>): Map<string, CheckMean> {
  const values = new Map<string, Map<string, number[]>>()
  for (const { genotypeId, plantId, runId, value } of records) {
    if (runId === null || checks.get(runId) !== genotypeId) continue
    const plants = values.get(runId) ?? new Map<string, number[]>()
    plants.set(plantId, [...(plants.get(plantId) ?? []), value])
    values.set(runId, plants)
  }
  return new Map([...values].map(([runId, plants]) => [runId, { mean: meanOf([...plants.values()].map(meanOf)), plants: plants.size }]))
}

/** The runs that share a check. If there are several such groups, the one with the most records. */
function largestGroup(
  runs: readonly (string | null)[],
  checks: ReadonlyMap<string, string>,
  checkMeans: ReadonlyMap<string, CheckMean>,
  sizes: ReadonlyMap<string | null, number>,
): string[] {
  const groups = new Map<string, string[]>()
  for (const run of runs) {
    if (run === null || !checkMeans.has(run)) continue
    const check = checks.get(run) as string
    groups.set(check, [...(groups.get(check) ?? []), run])
  }
  const recordsOf = (group: readonly string[]) => group.reduce((sum, run) => sum + (sizes.get(run) as number), 0)
  const connecting = [...groups].filter(([, group]) => group.length > 1).sort(([a], [b]) => byName(a, b))
  return connecting.reduce<string[]>((best, [, group]) => (recordsOf(group) > recordsOf(best) ? group : best), [])
}

function byName(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return a < b ? -1 : 1
}
