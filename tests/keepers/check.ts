import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { brokenLimits, type Comparison, limitsOf, type Measured, measureScenario, minInTenth } from './measure.ts'
import { scenarios } from './simulate-hunts.ts'

/**
 * `npm run check:keepers`: whether the ranking is right as often as it claims, in simulated hunts of every scenario, and as good as the
 * reference. The product judges four times as many hunts as the slow reference: chance alone moves a share of 400 by 5 points in one of 20
 * scenarios. Options: `--hunts 1600`, `--only WORDS`, `--seed 1`, and `--threads 2` to use that many processors.
 */
type Task = { name: string; hunts: number; seed: number }

const measure = ({ name, hunts, seed }: Task): Comparison => {
  const scenario = scenarios.find((each) => each.name === name)
  if (!scenario) throw new RangeError(`There is no scenario ${name}.`)
  return measureScenario(scenario, hunts, Math.ceil(hunts / 4), seed)
}

async function check(): Promise<void> {
  const { values } = parseArgs({
    options: {
      hunts: { type: 'string', default: '1600' },
      seed: { type: 'string', default: '1' },
      threads: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
    },
  })
  const wanted = scenarios.filter(({ name }) => name.includes(values.only))
  const tasks = wanted.map(({ name }) => ({ name, hunts: Number(values.hunts), seed: Number(values.seed) }))
  const answers = Number(values.threads) > 1 ? await measureInThreads(tasks, Number(values.threads)) : null
  let failed = 0
  console.log(
    `${values.hunts} hunts per scenario, a quarter of them also judged by the reference, seed ${values.seed}. Product / reference, in percent.\n`,
  )
  console.log(row(['scenario', 'claimed', 'right', '80% covers', 'gain', '']))
  for (const [i, scenario] of wanted.entries()) {
    const compared = answers?.[i] ?? measure(tasks[i] as Task)
    const { product, reference } = compared
    const both = (of: (measured: Measured) => number) => `${(100 * of(product)).toFixed(1)} / ${(100 * of(reference)).toFixed(1)}`
    const broken = brokenLimits(compared, limitsOf(scenario))
    if (broken.length > 0) failed++
    console.log(
      row([
        scenario.name,
        both(({ claimed }) => claimed),
        both(({ hit }) => hit),
        both(({ coverage }) => coverage),
        both(({ gain }) => gain),
        broken.length === 0 ? 'ok' : `FAILS: ${broken.join('; ')}`,
      ]),
    )
    console.log(`  ${scenario.design}. By tenth: ${tenths(product)}`)
  }
  console.log(failed === 0 ? '\nAll scenarios are within their limits.' : `\n${failed} of ${wanted.length} scenarios exceed a limit.`)
  process.exitCode = failed === 0 ? 0 : 1
}

const widths = [28, 15, 15, 15, 15]
const row = (cells: string[]) =>
  cells
    .map((cell, i) => cell.padEnd(widths[i] ?? 0))
    .join('  ')
    .trimEnd()

const tenths = ({ tenths: all, hunts }: Measured) =>
  all
    .flatMap(({ claimed, hit, count }) =>
      count < minInTenth(hunts) ? [] : [`${(100 * claimed).toFixed(0)}→${(100 * hit).toFixed(0)} (${count})`],
    )
    .join(', ')

async function measureInThreads(tasks: readonly Task[], threads: number): Promise<Comparison[]> {
  const answers: Comparison[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: threads }, async () => {
      const worker = new Worker(new URL(import.meta.url), { workerData })
      for (let at = next++; at < tasks.length; at = next++) {
        answers[at] = await new Promise<Comparison>((resolve, reject) => {
          worker.once('message', resolve)
          worker.once('error', reject)
          worker.postMessage(tasks[at])
        })
      }
      await worker.terminate()
    }),
  )
  return answers
}

if (isMainThread) await check()
else parentPort?.on('message', (task: Task) => parentPort?.postMessage(measure(task)))
