import { missing, numberText, type PlotColumn, withUnit } from './plot-table.ts'
import type { PlotMeasure } from './tracker-plot-rows.ts'

/** A plant on a run's bench. Rows and columns count from 1. */
export type BenchPlant = {
  plantId: string
  name: string
  row: number
  column: number
  stage: string
  value: number | null
  /** 0 to 1; null if the trait isn't scored. */
  desirability: number | null
  /** Whether this is the run's check clone, which is grown in several runs to compare them. */
  isCheck: boolean
}

export type BenchSize = { rows: number; columns: number }

/** A position on the bench; null if empty. */
export type BenchPlace = { row: number; column: number; plant: BenchPlant | null }

/** All positions, row by row. The bench grows to include plants beyond its edge. */
export function benchPlaces(size: BenchSize, plants: readonly BenchPlant[]): { size: BenchSize; places: BenchPlace[] } {
  const rows = Math.max(size.rows, ...plants.map(({ row }) => row))
  const columns = Math.max(size.columns, ...plants.map(({ column }) => column))
  const at = new Map(plants.map((plant) => [`${plant.row}:${plant.column}`, plant]))
  return {
    size: { rows, columns },
    places: Array.from({ length: rows * columns }, (_, nth) => {
      const row = Math.floor(nth / columns) + 1
      const column = (nth % columns) + 1
      return { row, column, plant: at.get(`${row}:${column}`) ?? null }
    }),
  }
}

/** 1 → A, 26 → Z, 27 → AA. Letters for rows make "B7" unambiguous. */
export function rowLetter(row: number): string {
  const rest = Math.floor((row - 1) / 26)
  return `${rest > 0 ? rowLetter(rest) : ''}${String.fromCharCode(65 + ((row - 1) % 26))}`
}

export const placeName = ({ row, column }: { row: number; column: number }): string => `${rowLetter(row)}${column}`

export const benchText = (plant: BenchPlant, trait: PlotMeasure | null): string =>
  trait === null ? plant.stage : plant.value === null ? missing : withUnit(numberText(plant.value, trait.digits), trait.unit)

export function benchColumns(trait: PlotMeasure | null): PlotColumn<BenchPlace>[] {
  return [
    { key: 'place', label: 'Spot', value: placeName },
    { key: 'plant', label: 'Plant', value: ({ plant }) => plant?.name ?? 'Empty' },
    { key: 'check', label: 'Check clone', kind: 'yes-no', value: ({ plant }) => plant?.isCheck ?? null },
    { key: 'stage', label: 'Stage', value: ({ plant }) => plant?.stage ?? null },
    ...(trait
      ? [
          {
            key: 'value',
            label: trait.name,
            unit: trait.unit,
            kind: 'number',
            digits: trait.digits,
            value: ({ plant }) => plant?.value ?? null,
          } satisfies PlotColumn<BenchPlace>,
        ]
      : []),
  ]
}

/** The stages present, in order of appearance. */
export const stagesOf = (places: readonly BenchPlace[]): string[] => [...new Set(places.flatMap(({ plant }) => plant?.stage ?? []))]
