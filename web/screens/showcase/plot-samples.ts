/** Seeded random data for the showcase of plots. */
import { boundsOf, desirabilityOf } from '#agronomy/desirability.ts'
import { createRandom, nextNormal } from '#agronomy/random.ts'
import { vaporPressureDeficit } from '#agronomy/vpd.ts'
import type { Media } from '#contracts/media.ts'
import type { BenchPlant } from '#web/entities/growing-plots/bench-rows.ts'
import type { ClimateReading, ClimateTarget } from '#web/entities/growing-plots/climate-rows.ts'
import type { HeightLog } from '#web/entities/growing-plots/growth-rows.ts'
import type { LineageNode } from '#web/entities/growing-plots/lineage-view.ts'
import type { MatrixCell, MatrixGenotype, MatrixTrait } from '#web/entities/growing-plots/matrix-rows.ts'
import type { RankedGenotype } from '#web/entities/growing-plots/ranking-plot.tsx'
import type { DayPhoto, PlotTrait, TraitValues, YieldPotency } from '#web/entities/growing-plots/tracker-plot-rows.ts'

const hour = 3_600_000
const round = (value: number, digits = 1) => Number(value.toFixed(digits))
const idOf = (nth: number) => `plant-${nth + 1}`
const nameOf = (nth: number) => `#${nth + 1}`

const kinds: [name: string, unit: string | null, mean: number, spread: number, direction: 'max' | 'min' | 'target', digits: number][] = [
  ['Height', 'cm', 112, 16, 'target', 0],
  ['Dry yield', 'g', 84, 21, 'max', 1],
  ['THC', '%', 21.5, 2.6, 'max', 1],
  ['Terpenes', '%', 2.1, 0.6, 'max', 2],
  ['Days of flower', 'd', 63, 4, 'min', 0],
  ['Trim needed', null, 4.8, 1.6, 'min', 0],
  ['Aroma', null, 6.6, 1.5, 'max', 0],
  ['Internode length', 'cm', 6.2, 1.1, 'min', 1],
  ['Stem strength', null, 6.1, 1.7, 'max', 0],
  ['Mildew resistance', null, 6.4, 1.9, 'max', 0],
]

export function sampleTraits(count: number): (MatrixTrait & PlotTrait)[] {
  return Array.from({ length: count }, (_, nth) => {
    const [name, unit, , , direction, digits] = kinds[nth % kinds.length] as (typeof kinds)[number]
    const round = Math.floor(nth / kinds.length)
    return {
      id: `trait-${nth}`,
      name: round === 0 ? name : `${name}, run ${round + 1}`,
      unit,
      direction,
      digits,
      ...(direction === 'target' && { target: 112 }),
    }
  })
}

/** About one value in ten is missing. */
export function sampleValues(plants: number, traits: number): TraitValues[] {
  const random = createRandom(7)
  return Array.from({ length: plants }, (_, plant) => ({
    genotypeId: idOf(plant),
    name: nameOf(plant),
    isKeeper: plant === 6,
    values: Object.fromEntries(
      Array.from({ length: traits }, (_, nth) => {
        const [, , mean, spread, , digits] = kinds[nth % kinds.length] as (typeof kinds)[number]
        const value = round(mean + nextNormal(random) * spread, digits)
        return [`trait-${nth}`, random() % 10 === 0 && plant > 8 ? null : value]
      }),
    ),
  }))
}

export function sampleMatrix(traits: readonly MatrixTrait[], plants: number): MatrixGenotype[] {
  const rows = sampleValues(plants, traits.length)
  const worth = traits.map((trait) => {
    const bounds = boundsOf(rows.flatMap(({ values }) => values[trait.id] ?? []))
    if (!bounds || trait.direction === null) return () => null
    const { low, high } = bounds
    return desirabilityOf(
      trait.direction === 'target'
        ? { direction: 'target', low, target: (low + high) / 2, high }
        : { direction: trait.direction, low, high },
    )
  })
  const notes = ['retest', 'cull', '', '', 'breed', '']
  return rows.map(({ genotypeId, name, values, isKeeper }, plant) => ({
    genotypeId,
    name,
    isKeeper,
    note: notes[plant % notes.length] || undefined,
    cells: Object.fromEntries(
      traits.map((trait, nth): [string, MatrixCell | null] => {
        const value = values[trait.id] ?? null
        return [trait.id, value === null ? null : { value, desirability: worth[nth]?.(value) ?? null, count: 1 + (plant % 3) }]
      }),
    ),
  }))
}

export function sampleHeights(plants: number, weeks: number): HeightLog[] {
  const random = createRandom(3)
  return Array.from({ length: plants }, (_, plant) => {
    const final = 108 + nextNormal(random) * 17
    const half = 5.2 + nextNormal(random) * 0.5
    return Array.from({ length: weeks }, (_, week) => ({
      plantId: idOf(plant),
      at: week + 1,
      height: round(final / (1 + Math.exp(-(week + 1 - half) / 1.5)) + nextNormal(random) * 1.5),
    })).filter(({ at }) => plant < 4 || (at + plant) % 7 !== 0)
  }).flat()
}

export function sampleRanking(plants: number): RankedGenotype[] {
  const random = createRandom(11)
  const scores = Array.from({ length: plants }, (_, plant) => ({ plant, score: 0.52 + nextNormal(random) * 0.09 }))
  const weights = scores.map(({ score }) => Math.exp(score * 26))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return scores
    .map(({ plant, score }) => {
      const half = 0.05 + ((plant * 7) % 5) * 0.012
      const best = (weights[plant] as number) / total
      return {
        genotypeId: idOf(plant),
        name: nameOf(plant),
        score,
        low: score - half,
        high: score + half,
        best,
        topThree: Math.min(1, best * 2.4),
      }
    })
    .sort((one, other) => other.score - one.score)
    .map((each, nth) => ({ ...each, isKeeper: nth === 1 }))
}

export function sampleYields(plants: number): YieldPotency[] {
  const random = createRandom(5)
  return Array.from({ length: plants }, (_, plant) => {
    const tilt = nextNormal(random)
    return {
      genotypeId: idOf(plant),
      name: nameOf(plant),
      yield: round(84 + tilt * 14 + nextNormal(random) * 12),
      potency: round(21.5 - tilt * 1.4 + nextNormal(random) * 1.8, 2),
      isKeeper: plant === 6,
    }
  })
}

const start = Date.UTC(2026, 7, 3, 6)

export function sampleClimate(days: number, minutes: number): ClimateReading[] {
  const random = createRandom(9)
  const readings: ClimateReading[] = []
  for (let at = start; at <= start + days * 24 * hour; at += minutes * 60_000) {
    const sinceStart = (at - start) / (24 * hour)
    const isSilent = sinceStart > days * 0.62 && sinceStart < days * 0.65
    if (isSilent) continue
    const isDay = new Date(at).getUTCHours() < 18
    const temperature = round((isDay ? 25.6 : 21) + nextNormal(random) * 0.35 - sinceStart * 0.012, 2)
    const humidity = round(67 - sinceStart * 0.22 + (isDay ? 0 : 4) + nextNormal(random) * 1.6, 1)
    readings.push({ at, temperature, humidity, vpd: vaporPressureDeficit(temperature, humidity) })
  }
  return readings
}

export function sampleTargets(days: number): ClimateTarget[] {
  const turn = start + days * 0.4 * 24 * hour
  const end = start + days * 24 * hour
  return [
    { measure: 'vpd', from: start, to: turn, low: 0.8, high: 1.3, name: 'Vegetative' },
    { measure: 'vpd', from: turn, to: end, low: 1.2, high: 1.8, name: 'Flower' },
    { measure: 'temperature', from: start, to: turn, low: 21, high: 30 },
    { measure: 'temperature', from: turn, to: end, low: 21, high: 27 },
    { measure: 'humidity', from: start, to: end, low: 50, high: 80 },
  ]
}

export function sampleBench(rows: number, columns: number): BenchPlant[] {
  const random = createRandom(13)
  const stages = ['Flower', 'Vegetative']
  return Array.from({ length: rows * columns }, (_, nth) => nth)
    .filter((nth) => nth % 11 !== 5)
    .map((nth) => {
      const value = round(84 + nextNormal(random) * 20 + (nth % columns) * 2)
      const isMissing = nth % 9 === 4
      return {
        plantId: idOf(nth),
        name: nth % 12 === 0 ? 'Check' : nameOf(nth),
        row: Math.floor(nth / columns) + 1,
        column: (nth % columns) + 1,
        stage: stages[Math.floor((nth * 2) / (rows * columns)) % 2] as string,
        value: isMissing ? null : value,
        desirability: isMissing ? null : Math.min(1, Math.max(0, (value - 40) / 90)),
        isCheck: nth % 12 === 0,
      }
    })
}

export function sampleLineage(plants: number): LineageNode[] {
  const nodes: LineageNode[] = [
    { id: 'mother', kind: 'strain', name: 'Mother A', parents: [], isAlive: true },
    { id: 'father', kind: 'strain', name: 'Father B', parents: [], isAlive: true },
    { id: 'lot', kind: 'seed-lot', name: 'A × B, F1', note: `${plants} seeds, regular`, parents: ['mother', 'father'], isAlive: true },
  ]
  for (let plant = 0; plant < plants; plant += 1) {
    const id = idOf(plant)
    const isKeeper = plant === 6
    const isChosen = [2, 11, 17].includes(plant)
    const note = isKeeper ? undefined : isChosen ? 'retest' : plant % 3 === 0 ? 'culled' : undefined
    nodes.push({
      id,
      kind: 'genotype',
      name: nameOf(plant),
      note,
      parents: ['lot'],
      isAlive: plant % 3 !== 0 || isKeeper,
      isKeeper,
      isChosen,
    })
    const clones = isKeeper ? 9 : plant % 4 === 2 ? 2 : 1
    for (let clone = 0; clone < clones; clone += 1) {
      nodes.push({
        id: `${id}-c${clone}`,
        kind: 'clone',
        name: `${nameOf(plant)} c${clone + 1}`,
        parents: [id],
        isAlive: clone !== 1,
        isChosen: isKeeper && clone === 0,
      })
    }
  }
  nodes.push(
    { id: 'bx', kind: 'seed-lot', name: '#7 × Father B, BX1', note: '24 seeds', parents: [idOf(6), 'father'], isAlive: true },
    { id: 'bx-1', kind: 'genotype', name: 'BX #1', parents: ['bx'], isAlive: true },
    { id: 'bx-2', kind: 'genotype', name: 'BX #2', parents: ['bx'], isAlive: true },
  )
  return nodes
}

export function samplePhotos(count: number): DayPhoto[] {
  return Array.from({ length: count }, (_, nth) => {
    const hue = 95 + ((nth * 37) % 60)
    const drawn = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240"><rect width="320" height="240" fill="hsl(${hue} 25% 82%)"/><circle cx="160" cy="130" r="${50 + ((nth * 13) % 50)}" fill="hsl(${hue} 32% 48%)"/></svg>`
    const address = `data:image/svg+xml;base64,${btoa(drawn)}`
    const media: Media = {
      id: `00000000-0000-7000-8000-${String(nth).padStart(12, '0')}`,
      kind: 'image',
      width: 320,
      height: 240,
      placeholder: null,
      alt: `Plant ${nameOf(nth)}, drawn`,
      sources: [{ width: 320, avif: address, webp: address }],
      videoUrl: null,
      durationSeconds: null,
      documentUrl: null,
      pageCount: null,
    }
    return { photoId: `photo-${nth}`, plantId: idOf(nth), plantName: nameOf(nth), takenAt: Date.UTC(2026, 9, 12, 15, nth), media }
  })
}
