import { counted } from '#web/lib/format.ts'
import { Chart, chartPicture, type PlotPoint } from './chart.tsx'
import { axisStyle, baseOption, type ChartOption, type ScatterSeriesOption, symbolOf } from './chart-option.ts'
import { colorsOf, css, type Look } from './palette.ts'
import { PlotFrame, type PlotProps } from './plot-frame.tsx'
import { numberText, withUnit } from './plot-table.ts'
import {
  type PlotMeasure,
  type YieldPotency,
  type YieldPotencyRow,
  yieldPotencyColumns,
  yieldPotencyRows,
  yieldPotencySeries,
} from './tracker-plot-rows.ts'

type YieldPotencyPlotProps = PlotProps & {
  genotypes: readonly YieldPotency[]
  yields: PlotMeasure
  potency: PlotMeasure
  chosen?: readonly string[] | undefined
  onChoose?: ((genotypeId: string) => void) | undefined
}

const heightOf = (width: number) => (width < 520 ? 340 : 420)

export function YieldPotencyPlot({ genotypes, yields, potency, chosen = [], onChoose, ...frame }: YieldPotencyPlotProps) {
  const rows = yieldPotencyRows(genotypes)
  const draw = (look: Look) => yieldPotencyOption(rows, yields, potency, chosen, look)
  return (
    <PlotFrame
      {...frame}
      title={`${yields.name} and ${potency.name}`}
      help="Diamonds, and keepers on the stepped line, form the front: no other pheno beats them on both traits. Every pheno below the line is beaten by one of them."
      table={{ columns: yieldPotencyColumns(yields, potency), rows }}
      picture={() => chartPicture(draw, 960, 600)}
      empty={{
        title: 'Nothing measured yet',
        description: 'Weigh a harvest and add its lab result. Each pheno with both appears as a point.',
      }}
      height={heightOf(600)}
    >
      <Chart
        name={`${yields.name} and ${potency.name} of ${counted(rows.length, 'pheno')}`}
        draw={draw}
        heightOf={heightOf}
        pointsOf={(locate) =>
          rows.map(
            (row): PlotPoint => ({
              id: row.genotypeId,
              at: locate(row.yield, row.potency),
              title: `${row.name}${row.isKeeper ? ', keeper' : ''}`,
              facts: [
                [yields.name, withUnit(numberText(row.yield, yields.digits), yields.unit)],
                [potency.name, withUnit(numberText(row.potency, potency.digits), potency.unit)],
                ...(row.isOnFront ? [['Front', 'no other beats it on both'] as const] : []),
              ],
            }),
          )
        }
        onChoose={onChoose}
      />
    </PlotFrame>
  )
}

export function yieldPotencyOption(
  rows: readonly YieldPotencyRow[],
  yields: PlotMeasure,
  potency: PlotMeasure,
  chosen: readonly string[],
  look: Look,
): ChartOption {
  const { palette, font } = look
  const axis = axisStyle(look)
  const { text } = colorsOf(palette)
  const { others, front, keepers, steps } = yieldPotencySeries(rows)
  const leaf = css(palette.leaf)
  const surface = css(palette.surface)
  const points = (of: readonly YieldPotencyRow[], hasNames: boolean): ScatterSeriesOption['data'] =>
    of.map((row) => ({
      value: [row.yield, row.potency],
      name: row.name,
      label: { show: hasNames || chosen.includes(row.genotypeId) },
    }))
  const label = {
    position: 'top' as const,
    distance: 6,
    formatter: '{b}',
    color: text,
    fontFamily: font,
    fontSize: 12.5,
    fontWeight: 590,
    textBorderColor: surface,
    textBorderWidth: 3,
  }
  const number = { type: 'value' as const, scale: true, splitNumber: look.width < 520 ? 4 : 6 }
  return {
    ...baseOption(look),
    grid: { left: 40, right: 24, top: 40, bottom: 50, outerBoundsMode: 'none' },
    xAxis: {
      ...axis,
      ...number,
      axisLine: { ...axis.axisLine, show: true },
      axisLabel: { ...axis.axisLabel, formatter: (value: number) => numberText(value) },
      name: yields.unit ? `${yields.name}, ${yields.unit}` : yields.name,
      nameLocation: 'middle',
      nameGap: 28,
    },
    yAxis: {
      ...axis,
      ...number,
      axisLabel: { ...axis.axisLabel, formatter: (value: number) => numberText(value) },
      name: potency.unit ? `${potency.name}, ${potency.unit}` : potency.name,
      nameLocation: 'end',
      nameGap: 14,
      nameTextStyle: { ...axis.nameTextStyle, align: 'left', padding: [0, 0, 0, -40] },
    },
    series: [
      { type: 'line', data: steps, symbol: 'none', silent: true, lineStyle: { color: leaf, width: 1.75, type: [6, 4] }, z: 1 },
      {
        type: 'scatter',
        data: points(others, false) ?? [],
        symbol: symbolOf.circle,
        symbolSize: 9,
        itemStyle: { color: css(palette.muted, 0.18), borderColor: css(palette.muted), borderWidth: 1.25, opacity: 1 },
        label,
        silent: true,
        z: 2,
      },
      {
        type: 'scatter',
        data: points(front, true) ?? [],
        symbol: symbolOf.diamond,
        symbolSize: 14,
        itemStyle: { color: leaf, borderColor: surface, borderWidth: 1.5, opacity: 1 },
        label,
        labelLayout: { moveOverlap: 'shiftX', hideOverlap: true },
        silent: true,
        z: 3,
      },
      {
        type: 'scatter',
        data: points(keepers, true) ?? [],
        symbol: symbolOf.circle,
        symbolSize: 17,
        itemStyle: { color: css(palette.shine), borderColor: css(palette.ink), borderWidth: 2, opacity: 1 },
        label,
        silent: true,
        z: 4,
      },
    ],
  }
}
