import type { Panel, PanelResults, ScoreValue } from '#contracts/blind-panels.ts'
import { withUnit } from '#web/lib/units.ts'

type Trait = Panel['traits'][number]

/** "1.25": at most two decimals, no trailing zeros. */
export const figure = (value: number): string => String(Math.round(value * 100) / 100)

export function scoreWords({ kind, options, unit }: Trait, value: ScoreValue): string {
  const labelOf = (each: number) => options.find((option) => option.value === each)?.label ?? String(each)
  if (value.kind === 'options') return value.options.length === 0 ? 'none' : value.options.map(labelOf).join(', ')
  return kind === 'ordinal' ? `${value.number} · ${labelOf(value.number)}` : withUnit(figure(value.number), unit)
}

type Figures = PanelResults['jars'][number]['figures'][number]

export function figuresWords({ unit, options }: Trait, { count, mean, deviation, options: named }: Figures): string {
  if (count === 0) return 'no answer'
  if (mean !== null) return deviation === null ? withUnit(figure(mean), unit) : `${withUnit(figure(mean), unit)} ± ${figure(deviation)}`
  const often = named.filter((each) => each.count > 0).toSorted((a, b) => b.count - a.count)
  if (often.length === 0) return 'none'
  return often.map((each) => `${options.find(({ value }) => value === each.value)?.label ?? each.value} ${each.count}/${count}`).join(', ')
}

export function agreementWords({ kind, unit }: Trait, { measure, value }: PanelResults['agreement'][number]): string {
  if (value === null) return 'No jar has two answers'
  if (measure === 'deviation') return `Testers differ by ±${withUnit(figure(value), unit)} within a jar`
  if (kind === 'category') return `Two testers of the same jar chose the same option ${Math.round(value * 100)}% of the time`
  return `Two testers of the same jar agreed on ${Math.round(value * 100)}% of the options they chose`
}

export type TasterFigures = {
  taster: string
  cards: number
  /** Mean difference from the jars' means, by trait ID. Negative if below. */
  above: Map<string, number>
}

/** Skips testers who signed only one card, because one jar reveals little about them. */
export function tasterFigures({ jars }: Pick<PanelResults, 'jars'>): TasterFigures[] {
  const all = jars.flatMap(({ cards, figures }) => cards.map((card) => ({ card, figures })))
  return [...Map.groupBy(all, ({ card }) => card.taster.trim().toLowerCase())]
    .filter(([taster, cards]) => taster !== '' && cards.length > 1)
    .map(([, signed]) => {
      const distances = signed.flatMap(({ card, figures }) =>
        card.scores.flatMap(({ traitId, number }) => {
          const ofJar = figures.find((each) => each.traitId === traitId)
          return number === null || !ofJar || ofJar.mean === null || ofJar.count < 2 ? [] : [{ traitId, by: number - ofJar.mean }]
        }),
      )
      const above = [...Map.groupBy(distances, ({ traitId }) => traitId)].map(
        ([traitId, each]) => [traitId, each.reduce((sum, { by }) => sum + by, 0) / each.length] as const,
      )
      return { taster: signed[0]?.card.taster ?? '', cards: signed.length, above: new Map(above) }
    })
    .toSorted((a, b) => a.taster.localeCompare(b.taster))
}

export function aboveWords(by: number): string {
  const distance = figure(Math.abs(by))
  return distance === '0' ? 'at the mean' : `${distance} ${by > 0 ? 'above' : 'below'} the mean`
}

export const answeredOf = ({ jars }: Pick<Panel, 'jars'>): number => jars.reduce((sum, { answered }) => sum + answered, 0)
export const cardsOf = ({ jars }: Pick<Panel, 'jars'>): number => jars.reduce((sum, { cards }) => sum + cards, 0)
export const unprintedOf = ({ jars }: Pick<Panel, 'jars'>): number => jars.reduce((sum, { unprinted }) => sum + unprinted, 0)
