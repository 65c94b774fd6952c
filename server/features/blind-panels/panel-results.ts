import { type GivenScore, type Panel, type PanelResults, type ScoreValue, scoreValueOf } from '../../../contracts/blind-panels.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import { deviationOf, meanOf, pairAgreement, pooledDeviation } from './panel-figures.ts'
import { cardsOf, requirePanelHunt } from './panels.queries.ts'
import { readPanel } from './panels.view.ts'

/** @throws AppError not_found, conflict while it is open */
export async function getPanelResults(db: Db, actor: Actor, panelId: string): Promise<PanelResults> {
  const hunt = await requirePanelHunt(db, actor, panelId, 'view')
  const panel = await readPanel(db, hunt, panelId)
  if (panel.isOpen) throw new AppError('conflict', { message: 'What was scored is shown once the panel is closed.' })
  // How testers signed is for those whom the hunt is shared with, not for everybody who looks at a public one.
  const showsNames = hunt.visibility === 'private' || hunt.access !== 'view'
  const [cards, scores] = [await cardsOf(db, panelId), await scoresOfPanel(db, panelId)]
  const jars = panel.jars.map(({ id: jarId }) => {
    const answered = cards.flatMap((card) =>
      card.jar_id !== jarId || card.answered_at === null
        ? []
        : {
            cardNumber: card.card_number,
            answeredAt: card.answered_at.toISOString(),
            taster: showsNames ? card.taster : '',
            comment: showsNames ? card.comment : '',
            scores: scores.get(card.id) ?? [],
          },
    )
    return { jarId, figures: panel.traits.map((trait) => figuresOf(trait, valuesOf(answered, trait.id))), cards: answered }
  })
  return { panel, jars, agreement: panel.traits.map((trait) => agreementOf(trait, jars)) }
}

type Trait = Panel['traits'][number]
type Card = PanelResults['jars'][number]['cards'][number]

const valuesOf = (cards: readonly Card[], id: string): ScoreValue[] =>
  cards.flatMap(({ scores }) => scores.filter(({ traitId }) => traitId === id).map(scoreValueOf))
const numbersOf = (values: readonly ScoreValue[]) => values.flatMap((value) => (value.kind === 'number' ? value.number : []))
const choicesOf = (values: readonly ScoreValue[]) => values.flatMap((value) => (value.kind === 'options' ? [value.options] : []))

function figuresOf(trait: Trait, values: readonly ScoreValue[]) {
  const numbers = numbersOf(values)
  const named = [...(trait.kind === 'ordinal' ? numbers : []), ...choicesOf(values).flat()]
  return {
    traitId: trait.id,
    count: values.length,
    mean: meanOf(numbers),
    deviation: deviationOf(numbers),
    options: trait.options.map(({ value }) => ({ value, count: named.filter((each) => each === value).length })),
  }
}

function agreementOf(trait: Trait, jars: readonly { cards: readonly Card[] }[]): PanelResults['agreement'][number] {
  const values = jars.map(({ cards }) => valuesOf(cards, trait.id))
  return trait.kind === 'category' || trait.kind === 'checks'
    ? { traitId: trait.id, measure: 'pairs', value: pairAgreement(values.map(choicesOf)) }
    : { traitId: trait.id, measure: 'deviation', value: pooledDeviation(values.map(numbersOf)) }
}

/** By card. */
async function scoresOfPanel(db: Db, panelId: string): Promise<Map<string, GivenScore[]>> {
  const rows = await db
    .selectFrom('panel_scores')
    .innerJoin('panel_cards', 'panel_cards.id', 'panel_scores.card_id')
    .innerJoin('panel_jars', 'panel_jars.id', 'panel_cards.jar_id')
    .select(['card_id', 'trait_id', 'value_number', 'value_options'])
    .where('panel_id', '=', panelId)
    .execute()
  const byCard = new Map<string, GivenScore[]>()
  for (const { card_id, trait_id, value_number, value_options } of rows) {
    byCard.set(card_id, [...(byCard.get(card_id) ?? []), { traitId: trait_id, number: value_number, options: value_options }])
  }
  return byCard
}
