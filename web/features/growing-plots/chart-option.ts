import type { CustomSeriesOption, LineSeriesOption, ScatterSeriesOption } from 'echarts/charts'
import type { GridComponentOption } from 'echarts/components'
import type { ComposeOption } from 'echarts/core'
import { colorsOf, type Look, type Shape } from './palette.ts'

export type ChartOption = ComposeOption<LineSeriesOption | ScatterSeriesOption | CustomSeriesOption | GridComponentOption>
export type { CustomSeriesOption, LineSeriesOption, ScatterSeriesOption }

/** What the library calls our shapes. */
export const symbolOf: Record<Shape, string> = {
  circle: 'circle',
  diamond: 'diamond',
  triangle: 'triangle',
  rect: 'rect',
  cross: 'path://M-1,-4h2v3h3v2h-3v3h-2v-3h-3v-2h3z',
}

/** Nothing in a plot moves by itself, and no readout of the library's is used: that would write styles into the page. */
export const still = (look: Look) => ({ animation: false, textStyle: { fontFamily: look.font }, aria: { enabled: false } }) as const

/** How axes look: hairlines, quiet labels. */
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
