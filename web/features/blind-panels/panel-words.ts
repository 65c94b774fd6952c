import type { Panel, PanelResults, ScoreValue } from '../../../contracts/blind-panels.ts'

type Trait = Panel['traits'][number]

/** "1.25": two digits after the point at most, and no zeros that say nothing. */
export const figure = (value: number): string => String(Math.round(value * 100) / 100)

const withUnit = (text: string, unit: string): string => (unit === '' ? text : unit === '%' ? `${text}%` : `${text} ${unit}`)

/** What one tester said of a trait. */
export function scoreWords({ kind, options, unit }: Trait, value: ScoreValue): string {
  const labelOf = (each: number) => options.find((option) => option.value === each)?.label ?? String(each)
  if (value.kind === 'options') return value.options.length === 0 ? 'none' : value.options.map(labelOf).join(', ')
  return kind === 'ordinal' ? `${value.number} · ${labelOf(value.number)}` : withUnit(figure(value.number), unit)
}

type Figures = PanelResults['jars'][number]['figures'][number]

/** What all testers of a jar said of a trait: a mean and how far they spread, or how often each option was named. */
export function figuresWords({ unit, options }: Trait, { count, mean, deviation, options: named }: Figures): string {
  if (count === 0) return 'no answer'
  if (mean !== null) return deviation === null ? withUnit(figure(mean), unit) : `${withUnit(figure(mean), unit)} ± ${figure(deviation)}`
  const often = named.filter((each) => each.count > 0).toSorted((a, b) => b.count - a.count)
  if (often.length === 0) return 'none'
  return often.map((each) => `${options.find(({ value }) => value === each.value)?.label ?? each.value} ${each.count}/${count}`).join(', ')
}

/** How well testers agree on a trait, in words that say what the figure is. */
export function agreementWords({ kind, unit }: Trait, { measure, value }: PanelResults['agreement'][number]): string {
  if (value === null) return 'No jar has two answers'
  if (measure === 'deviation') return `Testers differ by ±${withUnit(figure(value), unit)} within a jar`
  if (kind === 'category') return `Two testers of a jar chose the same ${Math.round(value * 100)}% of the time`
  return `${Math.round(value * 100)}% of what two testers named, both named`
}

export const answeredOf = ({ jars }: Pick<Panel, 'jars'>): number => jars.reduce((sum, { answered }) => sum + answered, 0)
export const cardsOf = ({ jars }: Pick<Panel, 'jars'>): number => jars.reduce((sum, { cards }) => sum + cards, 0)
export const unprintedOf = ({ jars }: Pick<Panel, 'jars'>): number => jars.reduce((sum, { unprinted }) => sum + unprinted, 0)
