import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { testLook } from './look.test-support.ts'
import { RankingPlot, rankingColumns, rankingOption, rankingRows, rankingSeries } from './ranking-plot.tsx'

const ranked = Array.from({ length: 30 }, (_, nth) => ({
  genotypeId: `g${nth}`,
  name: `#${nth + 1}`,
  score: 1 / (nth + 1.37),
  low: 1 / (nth + 1.37) - 0.0712345,
  high: 1 / (nth + 1.37) + 0.0812345,
  best: 0.3 / (nth + 1),
  topThree: 0.6 / (nth + 1),
  isKeeper: nth === 2,
}))
const rows = rankingRows(ranked)
const columns = rankingColumns('Score', 0.8, 2)
const cell = (key: string, place: number) => columns.find((column) => column.key === key)?.value(rows[place]!)

test('draws each row’s dot, interval, and chance', () => {
  const { names, items, best } = rankingSeries(rows)
  expect(items.length).toBe(ranked.length)
  for (const [place, low, score, high] of items) {
    expect([names[place], low, score, high, best[place]]).toEqual(['name', 'low', 'score', 'high', 'best'].map((key) => cell(key, place)))
    expect(score).toBe(ranked[place]?.score)
  }
})

test('names the plot by the number of phenos', () => {
  const nameOf = (count: number) =>
    /Ranking of [^"]+/.exec(renderToStaticMarkup(createElement(RankingPlot, { huntName: 'Hunt', ranked: ranked.slice(0, count) })))?.[0]
  expect([nameOf(1), nameOf(2)]).toEqual(['Ranking of 1 pheno', 'Ranking of 2 phenos'])
})

test('gives equal scores the same rank', () => {
  const [one, other, last] = rankingRows(ranked.slice(0, 3).map((row, nth) => ({ ...row, rank: nth < 2 ? 1 : undefined })))
  expect([one?.rank, other?.rank, last?.rank]).toEqual([1, 1, 3])
})

test('passes exact numbers to the plotting library, with names beside them and chances on the other side', () => {
  const option = rankingOption(rows, 'Score', testLook())
  const [series] = option.series as { data: number[][] }[]
  expect(series?.data).toEqual(ranked.map(({ low, score, high }, place) => [place, low, score, high]))
  const [names, chances] = option.yAxis as { data: string[] }[]
  expect(names?.data).toEqual(ranked.map(({ name }) => name))
  expect(chances?.data.map(Number)).toEqual(ranked.map(({ best }) => best))
})
