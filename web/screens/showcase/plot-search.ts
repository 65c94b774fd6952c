export const plotAmounts = ['loading', 'empty', 'few', 'many'] as const
export type PlotAmount = (typeof plotAmounts)[number]

export type PlotSearch = { amount?: PlotAmount; only?: string }

export function readPlotSearch({ amount, only }: Record<string, unknown>): PlotSearch {
  const known = plotAmounts.find((each) => each === amount)
  return { ...(known && { amount: known }), ...(typeof only === 'string' && { only }) }
}
