/**
 * Simulated hunts with known true values, from a random generator that the product doesn't use. A plant's phenotypic variance within a run
 * is 1: the phenotype's share, `interaction` for phenotype by run, and the rest for the plant itself.
 */

export type Curve =
  | { direction: 'max' | 'min'; low: number; high: number }
  | { direction: 'target'; low: number; target: number; high: number }

export type SimulatedValue = { pheno: string; trait: string; plant: string; run: string; observer: string; value: number }

export type SimulatedHunt = {
  /** Phenotypes that can be kept. */
  candidates: string[]
  /** Numbered seeds that can't be kept: males without a score. */
  males: string[]
  /** A clone from outside the hunt that grows in every run. */
  check: string | null
  runs: string[]
  curves: Map<string, Curve>
  values: SimulatedValue[]
  /** Values are steps of a scale. */
  isOrdinal?: true
  /** Score from 0 to 1 with equal weights, in order of `candidates`. */
  truth: number[]
}

export type Scenario = { name: string; design: string; isUnidentified?: true; grow: (random: Random) => SimulatedHunt }

/** A model's results for a hunt's candidates, in their order. Scores range from 0 to 1. */
export type Judgment = { score: number[]; pBest: number[]; interval80: [number, number][] }

export type Random = { uniform: () => number; normal: () => number; integer: (below: number) => number }

/** Mulberry32 with the polar method of Marsaglia: not the product's generator. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const normal = (): number => {
    const u = 2 * uniform() - 1
    const v = 2 * uniform() - 1
    const s = u * u + v * v
    return s > 0 && s < 1 ? u * Math.sqrt((-2 * Math.log(s)) / s) : normal()
  }
  return { uniform, normal, integer: (below) => Math.floor(uniform() * below) }
}

export const interactionShare = 0.15

/** No value reaches its bounds, so the score is linear. */
const wide: Curve = { direction: 'max', low: -12, high: 12 }

export function worthBy(curve: Curve, value: number): number {
  const rise = (from: number, to: number) => Math.min(1, Math.max(0, (value - from) / (to - from)))
  if (curve.direction === 'target') return value <= curve.target ? rise(curve.low, curve.target) : 1 - rise(curve.target, curve.high)
  return curve.direction === 'max' ? rise(curve.low, curve.high) : 1 - rise(curve.low, curve.high)
}

const names = (count: number, prefix = '') => Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`)

type Plant = { pheno: string; plant: string; run: string; observer?: string }

type Nature = {
  heritability: number
  curve?: Curve
  runDeviation?: number
  observerDeviation?: number
  interaction?: number
}

/** Simulates one trait of these phenotypes. The check clone isn't from the hunt's crosses, and its true value is above average. */
function grownBy(random: Random, phenos: readonly string[], check: string | null, nature: Nature) {
  const { heritability, runDeviation = 0.7, observerDeviation = 1, interaction = interactionShare } = nature
  const trueValue = new Map(phenos.map((pheno) => [pheno, Math.sqrt(heritability) * random.normal()]))
  if (check) trueValue.set(check, 1)
  const once = (deviation: number) => {
    const known = new Map<string, number>()
    return (key: string) => {
      const value = known.get(key) ?? deviation * random.normal()
      known.set(key, value)
      return value
    }
  }
  const run = once(runDeviation)
  const observer = once(observerDeviation)
  const inRun = once(Math.sqrt(interaction))
  const residual = Math.sqrt(Math.max(0, 1 - heritability - interaction))
  const measure = (plant: Plant): SimulatedValue => ({
    pheno: plant.pheno,
    trait: 'trait',
    plant: plant.plant,
    run: plant.run,
    observer: plant.observer ?? 'grower',
    value:
      (trueValue.get(plant.pheno) as number) +
      run(plant.run) +
      (plant.observer ? observer(plant.observer) : 0) +
      inRun(`${plant.pheno} in ${plant.run}`) +
      residual * random.normal(),
  })
  return { trueValue, measure }
}

function huntOf(
  candidates: string[],
  trueValue: ReadonlyMap<string, number>,
  values: SimulatedValue[],
  more: { check?: string; males?: string[]; curve?: Curve } = {},
): SimulatedHunt {
  const { curve = wide, check = null, males = [] } = more
  return {
    candidates,
    males,
    check,
    runs: [...new Set(values.map(({ run }) => run))],
    curves: new Map([['trait', curve]]),
    values,
    truth: candidates.map((pheno) => worthBy(curve, trueValue.get(pheno) as number)),
  }
}

/** A heritability between that of yield, which mostly depends on the pot, and that of chemistry. */
const anyHeritability = (random: Random) => 0.2 + 0.4 * random.uniform()

const clonesOf = (phenos: readonly string[], count: number, run = 'A'): Plant[] =>
  phenos.flatMap((pheno) => names(count, `${pheno}-${run}`).map((plant) => ({ pheno, plant, run })))

/** Clones of each phenotype in one room. */
function oneRoom(random: Random, count: number, clones: number, more: Partial<Nature> & { observerOf?: (pheno: number) => string } = {}) {
  const phenos = names(count)
  const { observerOf, ...nature } = more
  const { trueValue, measure } = grownBy(random, phenos, null, { heritability: anyHeritability(random), ...nature })
  const plants = clonesOf(phenos, clones).map((plant) => ({ ...plant, ...(observerOf && { observer: observerOf(Number(plant.pheno)) }) }))
  return huntOf(phenos, trueValue, plants.map(measure), { ...(more.curve && { curve: more.curve }) })
}

function fourRooms(random: Random): SimulatedHunt {
  const phenos = names(32)
  const { trueValue, measure } = grownBy(random, phenos, 'check', { heritability: anyHeritability(random) })
  const plants = ['A', 'B', 'C', 'D'].flatMap((run, r) => clonesOf([...phenos.slice(8 * r, 8 * r + 8), 'check'], 1, run))
  return huntOf(phenos, trueValue, plants.map(measure), { check: 'check' })
}

function twoStages(random: Random): SimulatedHunt {
  const phenos = names(36)
  const { trueValue, measure } = grownBy(random, phenos, null, { heritability: anyHeritability(random) })
  const first = clonesOf(phenos, 1, 'A').map(measure)
  const promoted = first.toSorted((a, b) => b.value - a.value).slice(0, 8)
  const second = clonesOf(
    promoted.map(({ pheno }) => pheno),
    2,
    'B',
  ).map(measure)
  return huntOf(phenos, trueValue, [...first, ...second])
}

/** One jar per phenotype, tasted by 1 to 8 people, some of them lenient. The rest of a score varies by tasting. */
function panel(random: Random): SimulatedHunt {
  const phenos = names(12)
  const heritability = anyHeritability(random)
  const { trueValue, measure } = grownBy(random, phenos, null, { heritability })
  const leniency = names(10, 'taster ').map((observer) => ({ observer, bias: 0.6 * random.normal() }))
  const values = clonesOf(phenos, 1).flatMap((plant) => {
    const jar = measure(plant)
    const tasters = leniency.toSorted(() => random.uniform() - 0.5).slice(0, 1 + random.integer(8))
    return tasters.map(({ observer, bias }) => ({ ...jar, observer, value: jar.value + bias + 0.9 * random.normal() }))
  })
  return huntOf(phenos, trueValue, values)
}

/** Two independent traits, so the many phenotypes above one trait's bound aren't tied for the best. */
function boundedTrait(random: Random): SimulatedHunt {
  const bounded = oneRoom(random, 30, 2, { curve: { direction: 'max', low: -3, high: 0.5 }, runDeviation: 0 })
  const other = oneRoom(random, 30, 2, { curve: { direction: 'max', low: -6, high: 6 }, runDeviation: 0 })
  return {
    ...bounded,
    curves: new Map([...bounded.curves, ['other', other.curves.get('trait') as Curve]]),
    values: [...bounded.values, ...other.values.map((value) => ({ ...value, trait: 'other' }))],
    truth: bounded.truth.map((worth, i) => (worth + (other.truth[i] as number)) / 2),
  }
}

/** Two traits with a genetic trade-off, although a good pot is good for both. */
function opposed(random: Random): SimulatedHunt {
  const phenos = names(30)
  const pair = (correlation: number, deviation: number): [number, number] => {
    const a = random.normal()
    return [deviation * a, deviation * (correlation * a + Math.sqrt(1 - correlation ** 2) * random.normal())]
  }
  const heritability = 0.45
  const curve = wide
  const truth: number[] = []
  const values: SimulatedValue[] = []
  for (const pheno of phenos) {
    const own = pair(-0.6, Math.sqrt(heritability))
    const inRun = pair(-0.6, Math.sqrt(interactionShare))
    truth.push((worthBy(curve, own[0]) + worthBy(curve, own[1])) / 2)
    for (const plant of names(2, `${pheno}-`)) {
      const pot = pair(0.6, Math.sqrt(1 - heritability - interactionShare))
      for (const t of [0, 1] as const)
        values.push({ pheno, plant, run: 'A', observer: 'grower', trait: `trait ${t}`, value: own[t] + inRun[t] + pot[t] })
    }
  }
  const curves = new Map([0, 1].map((t) => [`trait ${t}`, curve] as const))
  return { candidates: phenos, males: [], check: null, runs: ['A'], curves, values, truth }
}

/** A scale of steps, separated by thresholds of a plant's underlying value. A pheno's true value is the mean step of its plants. */
function steps(random: Random, clones: number, thresholds: readonly number[]): SimulatedHunt {
  const heritability = anyHeritability(random)
  const phenos = names(30)
  const { trueValue, measure } = grownBy(random, phenos, null, { heritability, runDeviation: 0 })
  const stepOf = (value: number) => thresholds.filter((threshold) => value > threshold).length
  const values = clonesOf(phenos, clones).map((plant) => {
    const measured = measure(plant)
    return { ...measured, value: stepOf(measured.value) }
  })
  const curve: Curve = { direction: 'max', low: 0, high: thresholds.length }
  const meanStep = (value: number) =>
    thresholds.reduce((sum, threshold) => sum + normalShare((value - threshold) / Math.sqrt(1 - heritability)), 0)
  const hunt = huntOf(phenos, trueValue, values, { curve })
  return { ...hunt, isOrdinal: true, truth: phenos.map((pheno) => worthBy(curve, meanStep(trueValue.get(pheno) as number))) }
}

/** The share of a standard normal below a value: M. Abramowitz & I. A. Stegun, 26.2.17. */
export function normalShare(value: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(value))
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  const above = (Math.exp((-value * value) / 2) / Math.sqrt(2 * Math.PI)) * series
  return value > 0 ? 1 - above : above
}

export const scenarios: readonly Scenario[] = [
  { name: 'one room', design: '30 phenos × 2 clones', grow: (random) => oneRoom(random, 30, 2) },
  { name: 'four rooms, one check', design: '8 seeds and 1 check plant in each', grow: fourRooms },
  { name: 'two stages, no check', design: '36 seeds, then the top 8 × 2 clones', grow: twoStages },
  { name: 'all clones in one room', design: '30 phenos × 3 clones', isUnidentified: true, grow: (random) => oneRoom(random, 30, 3) },
  {
    name: 'observers split the plants',
    design: '30 × 2; one scores #1–15, one #16–30',
    grow: (random) => oneRoom(random, 30, 2, { observerOf: (pheno) => (pheno <= 15 ? 'Wren' : 'Marlow') }),
  },
  { name: '1 to 8 tasters a jar', design: '12 jars, 10 tasters', grow: panel },
  { name: 'bound cuts the top', design: '30 × 2; one of two traits counts up to the mean + 0.5 sd', grow: boundedTrait },
  {
    name: 'off-center target',
    design: '30 × 2; target at the mean + 1 sd',
    grow: (random) => oneRoom(random, 30, 2, { curve: { direction: 'target', low: -3, target: 1, high: 4 }, runDeviation: 0 }),
  },
  { name: 'opposed correlations', design: '30 × 2; genetic −0.6, pot +0.6', isUnidentified: true, grow: opposed },
  { name: 'scale of five steps', design: '30 phenos × 2 clones', grow: (random) => steps(random, 2, [-1.3, -0.5, 0.25, 1]) },
  { name: 'yes or no', design: '30 phenos × 4 clones', grow: (random) => steps(random, 4, [0.3]) },
  {
    name: '18 unscored males',
    design: '18 females × 2 clones, 18 males',
    grow: (random) => ({ ...oneRoom(random, 18, 2), males: names(36).slice(18) }),
  },
]
