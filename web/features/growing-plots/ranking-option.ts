import { axisStyle, type ChartOption, type CustomSeriesOption, still } from './chart-option.ts'
import { numberText, shareText } from './format.ts'
import { colorsOf, css, type Look, mix } from './palette.ts'
import { type RankingRow, rankingSeries } from './ranking-rows.ts'

const rowHeight = 30
const around = 78

export const rankingHeight = (rows: number): number => rows * rowHeight + around

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
    ...still(look),
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
        name: 'P(best)',
        nameLocation: 'start',
        nameGap: 10,
        nameTextStyle: { ...axis.nameTextStyle, align: 'left', padding: [0, 0, 0, 8] },
        axisLabel: {
          ...axis.axisLabel,
          hideOverlap: false,
          interval: 0,
          color: muted,
          fontSize: 13,
          formatter: (value: string) => shareText(Number(value)),
        },
      },
    ],
    series: [intervals(items, keepers, look)],
  }
}

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
