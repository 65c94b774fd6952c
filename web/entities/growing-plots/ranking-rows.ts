import type { PlotColumn } from './plot-table.ts'

/** A ranked genotype as computed by the keeper choice, in display order. */
export type RankedGenotype = {
  genotypeId: string
  name: string
  /** The shrunken score and the bounds of its interval. */
  score: number
  low: number
  high: number
  /** 0 to 1. */
  best: number
  topThree: number
  isKeeper?: boolean | undefined
}

export type RankingRow = RankedGenotype & { rank: number }

export const rankingRows = (ranked: readonly RankedGenotype[]): RankingRow[] => ranked.map((row, nth) => ({ ...row, rank: nth + 1 }))

export function rankingColumns(scoreName: string, interval: number, digits: number): PlotColumn<RankingRow>[] {
  const share = `${Math.round(interval * 100)}% interval`
  return [
    { key: 'rank', label: 'Rank', kind: 'number', value: (row) => row.rank },
    { key: 'name', label: 'Pheno', value: (row) => row.name },
    { key: 'score', label: scoreName, kind: 'number', digits, value: (row) => row.score },
    { key: 'low', label: `${share}, from`, kind: 'number', digits, value: (row) => row.low },
    { key: 'high', label: `${share}, to`, kind: 'number', digits, value: (row) => row.high },
    { key: 'best', label: 'Chance of being best', kind: 'share', digits: 1, value: (row) => row.best },
    { key: 'topThree', label: 'Chance of top 3', kind: 'share', digits: 1, value: (row) => row.topThree },
    { key: 'keeper', label: 'Keeper', kind: 'yes-no', value: (row) => row.isKeeper === true },
  ]
}

export type RankingSeries = { names: string[]; items: [place: number, low: number, score: number, high: number][]; best: number[] }

export const rankingSeries = (rows: readonly RankingRow[]): RankingSeries => ({
  names: rows.map(({ name }) => name),
  items: rows.map(({ low, score, high }, place) => [place, low, score, high]),
  best: rows.map(({ best }) => best),
})
