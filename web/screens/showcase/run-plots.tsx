import type { ReactNode } from 'react'
import { createRandom, nextNormal } from '#agronomy/random.ts'
import { vaporPressureDeficit } from '#agronomy/vpd.ts'
import type { Media } from '#contracts/media.ts'
import { hourMs, minuteMs } from '#contracts/time.ts'
import { BenchMap, type BenchPlant } from '#web/entities/growing-plots/bench-map.tsx'
import { ClimatePlot } from '#web/entities/growing-plots/climate-plot.tsx'
import type { ClimateReading, ClimateTarget } from '#web/entities/growing-plots/climate-rows.ts'
import { LineageGraph } from '#web/entities/growing-plots/lineage-graph.tsx'
import type { LineageNode } from '#web/entities/growing-plots/lineage-view.ts'
import { PhotoGrid } from '#web/entities/growing-plots/photo-grid.tsx'
import type { DayPhoto } from '#web/entities/growing-plots/tracker-plot-rows.ts'

const start = Date.UTC(2026, 7, 3, 6)

function sampleClimate(days: number, minutes: number): ClimateReading[] {
  const random = createRandom(9)
  const readings: ClimateReading[] = []
  for (let at = start; at <= start + days * 24 * hourMs; at += minutes * minuteMs) {
    const sinceStart = (at - start) / (24 * hourMs)
    const isSilent = sinceStart > days * 0.62 && sinceStart < days * 0.65
    if (isSilent) continue
    const isDay = new Date(at).getUTCHours() < 18
    const temperature = round((isDay ? 25.6 : 21) + nextNormal(random) * 0.35 - sinceStart * 0.012, 2)
    const humidity = round(67 - sinceStart * 0.22 + (isDay ? 0 : 4) + nextNormal(random) * 1.6, 1)
    readings.push({ at, temperature, humidity, vpd: vaporPressureDeficit(temperature, humidity) })
  }
  return readings
}

function sampleTargets(days: number): ClimateTarget[] {
  const turn = start + days * 0.4 * 24 * hourMs
  const end = start + days * 24 * hourMs
  return [
    { id: 'vegetative vpd', measure: 'vpd', from: start, to: turn, low: 0.8, high: 1.3, name: 'Vegetative' },
    { id: 'flower vpd', measure: 'vpd', from: turn, to: end, low: 1.2, high: 1.8, name: 'Flower' },
    { id: 'vegetative temperature', measure: 'temperature', from: start, to: turn, low: 21, high: 30 },
    { id: 'flower temperature', measure: 'temperature', from: turn, to: end, low: 21, high: 27 },
    { id: 'humidity', measure: 'humidity', from: start, to: end, low: 50, high: 80 },
  ]
}

function sampleBench(rows: number, columns: number): BenchPlant[] {
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

function sampleLineage(plants: number): LineageNode[] {
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

function samplePhotos(count: number): DayPhoto[] {
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

const Climate = ({ count, shared }: SampleProps) => (
  <ClimatePlot
    {...shared}
    readings={count === 0 ? [] : sampleClimate(count > 50 ? 84 : 2, count > 50 ? 2 : 60)}
    targets={sampleTargets(count > 50 ? 84 : 2)}
    units={{ vpd: 'kPa', temperature: '°C', humidity: '%' }}
    timeZone="America/Denver"
  />
)

const Bench = ({ count, shared }: SampleProps) => {
  const size = count > 50 ? { rows: 6, columns: 12 } : { rows: 2, columns: 4 }
  const plants = count === 0 ? [] : sampleBench(size.rows, size.columns)
  return (
    <>
      <BenchMap
        {...shared}
        runName="run 2"
        bench={size}
        plants={plants}
        trait={{ name: 'Dry yield', unit: 'g' }}
        onPlant={() => undefined}
      />
      <BenchMap {...shared} runName="run 1" bench={size} plants={plants} trait={null} />
    </>
  )
}

const Lineage = ({ count, shared }: SampleProps) => (
  <LineageGraph {...shared} nodes={count === 0 ? [] : sampleLineage(count)} onNode={() => undefined} />
)

const Photos = ({ count, shared }: SampleProps) => (
  <PhotoGrid
    {...shared}
    day="2026-10-12"
    photos={samplePhotos(count)}
    timeZone="America/Denver"
    onPhoto={() => undefined}
    onEarlier={() => undefined}
  />
)

export const runPlots = [
  { id: 'climate', Plot: Climate },
  { id: 'bench', Plot: Bench },
  { id: 'lineage', Plot: Lineage },
  { id: 'photos', Plot: Photos },
]

export type SampleProps = { count: number; shared: { huntName: string; isLoading: boolean; emptyAction: ReactNode } }

export const round = (value: number, digits = 1) => Number(value.toFixed(digits))
export const idOf = (nth: number) => `plant-${nth + 1}`
export const nameOf = (nth: number) => `#${nth + 1}`
