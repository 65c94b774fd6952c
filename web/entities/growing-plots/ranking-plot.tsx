import { useState } from 'react'
import { counted } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Chart, chartPicture, type Locate, type PlotPoint } from './chart.tsx'
import { axisStyle, baseOption, type ChartOption, type CustomSeriesOption } from './chart-option.ts'
import { colorsOf, css, type Look, mix } from './palette.ts'
import { PlotFrame, type PlotProps } from './plot-frame.tsx'
import { numberText, type PlotColumn, shareText } from './plot-table.ts'

type RankingPlotProps = PlotProps & {
  /** Best first. */
  ranked: readonly RankedGenotype[]
  scoreName?: string | undefined
  /** The interval's probability, such as 0.8. */
  interval?: number | undefined
  digits?: number | undefined
  /** "Too close to call: #7 and #12." */
  verdict?: string | undefined
  onChoose?: ((genotypeId: string) => void) | undefined
}

const few = 15
const maxInPicture = 60

export function RankingPlot({ ranked, scoreName = 'Score', interval = 0.8, digits = 2, verdict, onChoose, ...frame }: RankingPlotProps) {
  const [showsAll, setShowsAll] = useState(false)
  const rows = rankingRows(ranked)
  const shown = showsAll ? rows : rows.slice(0, few)
  const percent = shareText(interval)
  return (
    <PlotFrame
      {...frame}
      title="Ranking"
      help={`Dot: best guess after allowing for luck. Line: where the true score lies with ${percent} certainty. Where lines overlap, the order may be luck.`}
      table={{ columns: rankingColumns(scoreName, interval, digits), rows }}
      picture={() => {
        const inPicture = rows.slice(0, Math.min(maxInPicture, shown.length))
        return chartPicture((look) => rankingOption(inPicture, scoreName, look), 900, rankingHeight(inPicture.length))
      }}
      empty={{ title: 'Nothing scored yet', description: 'Measure or score a trait on a few plants to see a ranking.' }}
      height={rankingHeight(8)}
    >
      {verdict && <p className="mb-3 font-medium">{verdict}</p>}
      <Chart
        name={`Ranking of ${counted(shown.length, 'pheno')}`}
        draw={(look: Look) => rankingOption(shown, scoreName, look)}
        heightOf={() => rankingHeight(shown.length)}
        pointsOf={(locate) => rankingPoints(shown, scoreName, percent, digits, locate)}
        reach={60}
        onChoose={onChoose}
      />
      {rows.length > few && (
        <Button variant="secondary" size="sm" className="mt-2 pointer-coarse:min-h-11" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? `Show the first ${few}` : `Show all ${numberText(rows.length)}`}
        </Button>
      )}
    </PlotFrame>
  )
}

function rankingPoints(rows: readonly RankingRow[], scoreName: string, percent: string, digits: number, locate: Locate): PlotPoint[] {
  return rows.map(({ genotypeId, name, rank, score, low, high, best, topThree, isKeeper }, place) => ({
    id: genotypeId,
    at: locate(score, place),
    title: `${name}${isKeeper ? ', keeper' : ''}`,
    facts: [
      ['Rank', numberText(rank)],
      [scoreName, numberText(score, digits)],
      [percent, `${numberText(low, digits)} to ${numberText(high, digits)}`],
      ['Chance of being the best', shareText(best, 1)],
      ['Chance of being in the top 3', shareText(topThree, 1)],
    ],
  }))
}

const rowHeight = 30
const around = 78

const rankingHeight = (rows: number): number => rows * rowHeight + around

export function rankingOption(rows: readonly RankingRow[], scoreName: string, look: Look): ChartOption {
  const { palette, width } = look
  const axis = axisStyle(look)
  const { text, muted } = colorsOf(palette)
  const { names, items, best } = rankingSeries(rows)
  const keepers = new Set(rows.flatMap(({ isKeeper }, place) => (isKeeper ? [place] : [])))
  const isNarrow = width < 520
  const longest = Math.max(4, ...names.map((name, place) => name.length + (keepers.has(place) ? 9 : 0)))
  const category = { ...axis, type: 'category', inverse: true, splitLine: { show: false } } as const
  return {
    ...baseOption(look),
    grid: { left: Math.min(width * 0.34, 16 + longest * 7.4), right: isNarrow ? 52 : 72, top: 28, bottom: 50, outerBoundsMode: 'none' },
    xAxis: {
      ...axis,
      type: 'value',
      scale: true,
      name: scoreName,
      nameLocation: 'middle',
      nameGap: 28,
      axisLabel: { ...axis.axisLabel, show: true, formatter: (value: number) => numberText(value), align: 'center' },
      splitNumber: isNarrow ? 3 : 6,
      position: 'bottom',
    },
    yAxis: [
      {
        ...category,
        data: names,
        axisLabel: {
          ...axis.axisLabel,
          hideOverlap: false,
          interval: 0,
          color: text,
          fontSize: 13,
          width: width * 0.34 - 12,
          overflow: 'truncate',
          formatter: (name: string, place: number) => (keepers.has(place) ? `{keeper|Keeper} ${name}` : name),
          rich: {
            keeper: {
              backgroundColor: css(palette.shine),
              color: css(palette['on-shine']),
              fontSize: 11,
              fontWeight: 600,
              borderRadius: 4,
              padding: [2, 5],
            },
          },
        },
      },
      {
        ...category,
        position: 'right',
        data: best.map(String),
        name: 'Chance of being the best',
        nameLocation: 'start',
        nameGap: 10,
        nameTextStyle: { ...axis.nameTextStyle, align: 'right', padding: [0, -48, 0, 0] },
        axisLabel: {
          ...axis.axisLabel,
          hideOverlap: false,
          interval: 0,
          color: muted,
          fontSize: 13,
          formatter: (value: string) => chanceText(Number(value)),
        },
      },
    ],
    series: [intervals(items, keepers, look)],
  }
}

/** Every pheno in the running has some chance, so none shows 0%. */
const chanceText = (chance: number): string => (chance < 0.005 ? '<1%' : shareText(chance))

function intervals(
  items: readonly [number, number, number, number][],
  keepers: ReadonlySet<number>,
  { palette }: Look,
): CustomSeriesOption {
  const track = css(palette.line)
  return {
    type: 'custom',
    silent: true,
    dimensions: ['place', 'low', 'score', 'high'],
    encode: { x: ['low', 'score', 'high'], y: 'place' },
    data: items.map((item) => [...item]),
    renderItem: (params, api) => {
      const place = api.value('place') as number
      const isKeeper = keepers.has(place)
      const [from = 0, y = 0] = api.coord([api.value('low'), place])
      const [at = 0] = api.coord([api.value('score'), place])
      const [to = 0] = api.coord([api.value('high'), place])
      const { x: left, width } = params.coordSys as unknown as { x: number; width: number }
      const color = css(isKeeper ? palette.ink : palette.leaf)
      const bar = css(isKeeper ? palette.ink : mix(palette.surface, palette.leaf, palette.isDark ? 0.62 : 0.55))
      const line = (x1: number, y1: number, x2: number, y2: number, stroke: string, lineWidth: number) => ({
        type: 'line' as const,
        shape: { x1, y1, x2, y2 },
        style: { stroke, lineWidth },
      })
      return {
        type: 'group',
        children: [
          line(left, y + rowHeight / 2, left + width, y + rowHeight / 2, track, 0.5),
          line(from, y, to, y, bar, 2.5),
          line(from, y - 4, from, y + 4, bar, 2),
          line(to, y - 4, to, y + 4, bar, 2),
          {
            type: 'circle',
            shape: { cx: at, cy: y, r: isKeeper ? 7.5 : 6 },
            style: { fill: css(isKeeper ? palette.shine : palette.leaf), stroke: isKeeper ? color : css(palette.surface), lineWidth: 2 },
          },
        ],
      }
    },
  }
}

export type RankedGenotype = {
  genotypeId: string
  name: string
  /** The shrunken score, and the bounds of its interval. */
  score: number
  low: number
  high: number
  /** 0 to 1. */
  best: number
  topThree: number
  isKeeper?: boolean | undefined
  /** Equal scores share a rank. Defaults to the position. */
  rank?: number | undefined
}

type RankingRow = RankedGenotype & { rank: number }

export const rankingRows = (ranked: readonly RankedGenotype[]): RankingRow[] =>
  ranked.map((row, nth) => ({ ...row, rank: row.rank ?? nth + 1 }))

export function rankingColumns(scoreName: string, interval: number, digits: number): PlotColumn<RankingRow>[] {
  const share = `${Math.round(interval * 100)}% interval`
  return [
    { key: 'rank', label: 'Rank', kind: 'number', value: (row) => row.rank },
    { key: 'name', label: 'Pheno', value: (row) => row.name },
    { key: 'score', label: scoreName, kind: 'number', digits, value: (row) => row.score },
    { key: 'low', label: `${share}, from`, kind: 'number', digits, value: (row) => row.low },
    { key: 'high', label: `${share}, to`, kind: 'number', digits, value: (row) => row.high },
    { key: 'best', label: 'Chance of being the best', kind: 'share', digits: 1, value: (row) => row.best },
    { key: 'topThree', label: 'Chance of being in the top 3', kind: 'share', digits: 1, value: (row) => row.topThree },
    { key: 'keeper', label: 'Keeper', kind: 'yes-no', value: (row) => row.isKeeper === true },
  ]
}

export type RankingSeries = { names: string[]; items: [place: number, low: number, score: number, high: number][]; best: number[] }

export const rankingSeries = (rows: readonly RankingRow[]): RankingSeries => ({
  names: rows.map(({ name }) => name),
  items: rows.map(({ low, score, high }, place) => [place, low, score, high]),
  best: rows.map(({ best }) => best),
})
