import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { brokenLimits, type Comparison, limitsOf, type Measured, measureScenario, minInTenth } from './measure.ts'
import { scenarios } from './simulate-hunts.ts'

/**
 * `npm run check:keepers`: checks in simulated hunts of every scenario whether the ranking is right as often as it claims, and as good as
 * the reference. Options: `--hunts 2000` for the product and `--reference 400` for the slow reference, which judges the first of them,
 * `--only WORDS`, `--seed 1`, and `--threads 2` to use that many processors.
 */

type Task = { name: string; hunts: number; referenceHunts: number; seed: number }

const measure = ({ name, hunts, referenceHunts, seed }: Task): Comparison => {
  const scenario = scenarios.find((each) => each.name === name)
  if (!scenario) throw new RangeError(`There is no scenario ${name}.`)
  return measureScenario(scenario, hunts, referenceHunts, seed)
}

async function check(): Promise<void> {
  const { values } = parseArgs({
    options: {
      hunts: { type: 'string', default: '2000' },
      reference: { type: 'string', default: '400' },
      seed: { type: 'string', default: '1' },
      threads: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
    },
  })
  const [hunts, referenceHunts, seed] = [Number(values.hunts), Number(values.reference), Number(values.seed)]
  const start = performance.now()
  const wanted = scenarios.filter(({ name }) => name.includes(values.only))
  const tasks = wanted.map(({ name }) => ({ name, hunts, referenceHunts, seed }))
  const answers = measureInThreads(tasks, Number(values.threads))
  let failed = 0
  console.log(`Seed ${seed}, in percent. Product and reference judge the same ${referenceHunts} hunts, then the product ${hunts}.\n`)
  console.log(row(['scenario', 'hunts', 'claimed', 'right', '80% covers', 'gain', '']))
  for (const [i, scenario] of wanted.entries()) {
    const compared = await (answers[i] as Promise<Comparison>)
    const { product, sameHunts, reference } = compared
    const broken = brokenLimits(compared, limitsOf(scenario))
    if (broken.length > 0) failed++
    console.log(row([scenario.name, ...figuresOf(product), broken.length === 0 ? 'ok' : `FAILS: ${broken.join('; ')}`]))
    console.log(row(['  product', ...figuresOf(sameHunts)]))
    console.log(row(['  reference', ...figuresOf(reference)]))
    console.log(`  ${scenario.design}. By tenth, product: ${tenths(product)}; reference: ${tenths(reference)}`)
  }
  const minutes = ((performance.now() - start) / 60_000).toFixed(0)
  console.log(
    `\n${minutes} minutes. ${failed === 0 ? 'All scenarios are within their limits.' : `${failed} of ${wanted.length} scenarios exceed a limit.`}`,
  )
  process.exitCode = failed === 0 ? 0 : 1
}

const figuresOf = ({ hunts, claimed, right, coverage, gain }: Measured) => [
  String(hunts),
  ...[claimed, right.mean, coverage.mean, gain.mean].map((share) => (100 * share).toFixed(1)),
]

const widths = [26, 5, 7, 7, 10, 5]
const row = (cells: string[]) =>
  cells
    .map((cell, i) => (i === 0 ? cell.padEnd(widths[0] as number) : cell.padStart(widths[i] ?? 0)))
    .join('  ')
    .trimEnd()

const tenths = ({ tenths: all, hunts }: Measured) =>
  all
    .flatMap(({ claimed, right, count }) =>
      count < minInTenth(hunts) ? [] : [`${(100 * claimed).toFixed(0)}→${(100 * right.mean).toFixed(0)} (${count})`],
    )
    .join(', ')

/** Returns a promise for each scenario, so that a long run can print each result once it is known. */
function measureInThreads(tasks: readonly Task[], threads: number): Promise<Comparison>[] {
  const answers = tasks.map(() => Promise.withResolvers<Comparison>())
  let next = 0
  for (let t = 0; t < Math.min(threads, tasks.length); t++) {
    const worker = new Worker(new URL(import.meta.url))
    const take = () => {
      const at = next++
      if (at >= tasks.length) return void worker.terminate()
      worker.once('message', (comparison: Comparison) => {
        answers[at]?.resolve(comparison)
        take()
      })
      worker.postMessage(tasks[at])
    }
    worker.once('error', (error) => {
      for (const { reject } of answers) reject(error)
    })
    take()
  }
  return answers.map(({ promise }) => promise)
}

if (isMainThread) await check()
else parentPort?.on('message', (task: Task) => parentPort?.postMessage(measure(task)))
