import type { CustomSeriesOption, LineSeriesOption, ScatterSeriesOption } from 'echarts/charts'
import type { GridComponentOption } from 'echarts/components'
import type { ComposeOption } from 'echarts/core'
import { colorsOf, css, type Look, type Mark, type Rgb, type Shape } from './palette.ts'

export type ChartOption = ComposeOption<LineSeriesOption | ScatterSeriesOption | CustomSeriesOption | GridComponentOption>
export type { CustomSeriesOption, LineSeriesOption, ScatterSeriesOption }

export const symbolOf: Record<Shape, string> = {
  circle: 'circle',
  diamond: 'diamond',
  triangle: 'triangle',
  rect: 'rect',
  cross: 'path://M-1,-4h2v3h3v2h-3v3h-2v-3h-3v-2h3z',
}

/** Turns off animation and the library's ARIA description, because `Chart` has its own. */
export const baseOption = (look: Look) => ({ animation: false, textStyle: { fontFamily: look.font }, aria: { enabled: false } }) as const

export function axisStyle({ palette, font }: Look) {
  const { muted, line, edge } = colorsOf(palette)
  return {
    axisLabel: { color: muted, fontSize: 12, fontFamily: font, hideOverlap: true },
    axisLine: { show: false, lineStyle: { color: edge } },
    axisTick: { show: false, lineStyle: { color: edge } },
    splitLine: { show: true, lineStyle: { color: line, type: [3, 4] as number[] } },
    nameTextStyle: { color: muted, fontSize: 12, fontFamily: font },
  }
}

type Point = readonly [x: number, y: number]

/** Shapes of plots that don't use the library's axes, in pixels. */
export type Drawn =
  | { type: 'polyline'; shape: { points: number[][] }; style: Record<string, unknown> }
  | { type: 'polygon'; shape: { points: number[][] }; style: Record<string, unknown> }
  | { type: 'circle'; shape: { cx: number; cy: number; r: number }; style: Record<string, unknown> }
  | { type: 'rect'; shape: { x: number; y: number; width: number; height: number; r?: number }; style: Record<string, unknown> }
  | { type: 'text'; style: Record<string, unknown> }

export function drawingOption(shapes: readonly Drawn[], look: Look): ChartOption {
  return {
    ...baseOption(look),
    series: [
      {
        type: 'custom',
        coordinateSystem: 'none',
        silent: true,
        clip: false,
        data: [0],
        renderItem: () => ({ type: 'group', children: [...shapes] as never[] }),
      },
    ],
  }
}

export const polyline = (points: readonly Point[], color: string, lineWidth: number, lineDash: readonly number[] = []): Drawn => ({
  type: 'polyline',
  shape: { points: points.map((point) => [...point]) },
  style: { stroke: color, lineWidth, fill: 'none', lineJoin: 'round', ...(lineDash.length > 0 && { lineDash: [...lineDash] }) },
})

export function label(
  look: Look,
  text: string,
  [x, y]: Point,
  options: { color?: Rgb; size?: number; weight?: number; align?: string; baseline?: string; room?: number; halo?: boolean } = {},
): Drawn {
  const { color = look.palette.muted, size = 12, weight = 400, align = 'left', baseline = 'middle', room, halo } = options
  return {
    type: 'text',
    style: {
      text,
      x,
      y,
      fill: css(color),
      font: `${weight} ${size}px ${look.font}`,
      align,
      verticalAlign: baseline,
      ...(room !== undefined && { width: room, overflow: 'truncate', ellipsis: '…' }),
      ...(halo && { stroke: css(look.palette.surface), lineWidth: 4 }),
    },
  }
}

/** Markers also differ in shape, for people who can't tell colors apart. */
export function markAt({ shape, color }: Mark, [x, y]: Point, { palette }: Look, size = 5): Drawn {
  const style = { fill: css(color), stroke: css(palette.surface), lineWidth: 1.5 }
  const s = size
  const outlines: Record<Exclude<Mark['shape'], 'circle'>, number[][]> = {
    diamond: [
      [x, y - s * 1.25],
      [x + s * 1.25, y],
      [x, y + s * 1.25],
      [x - s * 1.25, y],
    ],
    triangle: [
      [x, y - s * 1.15],
      [x + s * 1.15, y + s * 0.85],
      [x - s * 1.15, y + s * 0.85],
    ],
    rect: [
      [x - s * 0.9, y - s * 0.9],
      [x + s * 0.9, y - s * 0.9],
      [x + s * 0.9, y + s * 0.9],
      [x - s * 0.9, y + s * 0.9],
    ],
    cross: [
      [x - s * 0.4, y - s * 1.2],
      [x + s * 0.4, y - s * 1.2],
      [x + s * 0.4, y - s * 0.4],
      [x + s * 1.2, y - s * 0.4],
      [x + s * 1.2, y + s * 0.4],
      [x + s * 0.4, y + s * 0.4],
      [x + s * 0.4, y + s * 1.2],
      [x - s * 0.4, y + s * 1.2],
      [x - s * 0.4, y + s * 0.4],
      [x - s * 1.2, y + s * 0.4],
      [x - s * 1.2, y - s * 0.4],
      [x - s * 0.4, y - s * 0.4],
    ],
  }
  if (shape === 'circle') return { type: 'circle', shape: { cx: x, cy: y, r: s }, style }
  return { type: 'polygon', shape: { points: outlines[shape] }, style }
}

/** Separates overlapping labels by at least `gap` and keeps them near their positions. */
export function spread(places: readonly number[], gap: number, lowest: number, highest: number): number[] {
  const order = places.map((place, index) => ({ place, index })).sort((one, other) => one.place - other.place)
  const found = order.map(({ place }) => Math.min(highest, Math.max(lowest, place)))
  for (let at = 1; at < found.length; at += 1) found[at] = Math.max(found[at] as number, (found[at - 1] as number) + gap)
  let limit = highest
  for (let at = found.length - 1; at >= 0; at -= 1) {
    found[at] = Math.min(found[at] as number, limit)
    limit = (found[at] as number) - gap
  }
  const answer = [...places]
  for (const [at, { index }] of order.entries()) answer[index] = found[at] as number
  return answer
}
