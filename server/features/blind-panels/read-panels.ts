import { scoreValueOf } from '#contracts/blind-panels.rules.ts'
import type { FilledJar, GivenScore, Panel, PanelResults, ScoreValue } from '#contracts/blind-panels.ts'
import { type CsvCell, csvFile } from '#contracts/csv.ts'
import { IdParams } from '#contracts/fields.ts'
import { plantName } from '#contracts/plants.ts'
import type { TraitOption } from '#contracts/traits.ts'
import type { Db } from '#server/db/connect.ts'
import { type AccessibleHunt, requireHunt } from '#server/features/hunts/index.ts'
import { visiblePeople } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { memberFile } from '#server/kernel/member-file.ts'
import type { Api } from '#server/kernel/route.ts'
import { cardsOf, jarsOfPanels, type PanelRow, panelById, panelsOf, requirePanelHunt, traitsOfPanels } from './panels.queries.ts'

/** @throws AppError not_found */
export async function listPanels(db: Db, actor: Actor, huntId: string): Promise<Panel[]> {
  const hunt = await requireHunt(db, actor, huntId, 'view')
  return withJars(db, actor, hunt, await panelsOf(db, huntId))
}

/** @throws AppError not_found */
export async function readPanel(
  db: Db,
  viewer: Pick<Actor, 'id'>,
  hunt: Pick<AccessibleHunt, 'id' | 'access'>,
  panelId: string,
): Promise<Panel> {
  const row = await panelById(db, panelId)
  const [panel] = await withJars(db, viewer, hunt, row?.hunt_id === hunt.id ? [row] : [])
  if (!panel) throw notFound('Panel not found.')
  return panel
}

async function withJars(
  db: Db,
  viewer: Pick<Actor, 'id'>,
  { access }: Pick<AccessibleHunt, 'access'>,
  rows: readonly PanelRow[],
): Promise<Panel[]> {
  const people = await visiblePeople(
    db,
    viewer.id,
    rows.map(({ filled_by }) => filled_by),
  )
  const ids = rows.map(({ id }) => id)
  const [traits, jars] = [await traitsOfPanels(db, ids), await jarsOfPanels(db, ids)]
  return rows.map((row) => ({
    id: row.id,
    huntId: row.hunt_id,
    name: row.name,
    instructions: row.instructions,
    isOpen: row.is_open,
    closedAt: row.closed_at?.toISOString() ?? null,
    hidesJars: row.hides_jars,
    filledBy:
      row.filled_at === null
        ? null
        : { person: people.get(row.filled_by ?? '') ?? null, at: row.filled_at.toISOString(), isYou: row.filled_by === viewer.id },
    traits: traits
      .filter((trait) => trait.panel_id === row.id)
      .map(({ id, name, kind, unit, options }) => ({ id, name, kind, unit, options: options as TraitOption[] })),
    jars: jars
      .filter((jar) => jar.panel_id === row.id)
      .map((jar) => ({
        id: jar.id,
        jarName: jar.jar_name,
        // A person who can only view may be one of the testers, since anyone can view a public hunt.
        plant: row.is_open && (access === 'view' || row.hides_jars) ? null : plantOf(jar),
        cureDays: jar.cure_days,
        cards: jar.cards,
        answered: jar.answered,
        unprinted: jar.unprinted,
      })),
    createdAt: row.created_at.toISOString(),
    version: row.version,
  }))
}

type JarRow = Awaited<ReturnType<typeof jarsOfPanels>>[number]

export const plantOf = ({ plant_id, genotype_id, number, copy, label }: JarRow): FilledJar['plant'] => ({
  plantId: plant_id,
  genotypeId: genotype_id,
  number,
  name: plantName(number, copy),
  label,
})

/** @throws AppError not_found, conflict while the panel is open */
export async function getPanelResults(db: Db, actor: Actor, panelId: string): Promise<PanelResults> {
  const hunt = await requirePanelHunt(db, actor, panelId, 'view')
  const panel = await readPanel(db, actor, hunt, panelId)
  if (panel.isOpen) throw new AppError('conflict', { message: 'Scores are shown once the panel is closed.' })
  // Anyone can view a public hunt, so only people who can edit it see the testers' names and remarks.
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

/** Keyed by card. */
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

export const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

const squaresOf = (values: readonly number[]): number => {
  const mean = meanOf(values) ?? 0
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
}

/** The sample standard deviation (n − 1); null below two values. */
export const deviationOf = (values: readonly number[]): number | null =>
  values.length < 2 ? null : Math.sqrt(squaresOf(values) / (values.length - 1))

/** The within-jar standard deviation, pooled by degrees of freedom; null if no jar has two values. */
export function pooledDeviation(jars: readonly (readonly number[])[]): number | null {
  const freedom = jars.reduce((sum, values) => sum + Math.max(0, values.length - 1), 0)
  return freedom === 0 ? null : Math.sqrt(jars.reduce((sum, values) => sum + squaresOf(values), 0) / freedom)
}

/**
 * The mean Jaccard index (P. Jaccard, 1912) over all pairs of testers of a jar. Two testers who name nothing agree.
 * Null if no jar has two answers.
 */
export function pairAgreement(jars: readonly (readonly (readonly number[])[])[]): number | null {
  let pairs = 0
  let sum = 0
  for (const answers of jars) {
    for (const [i, one] of answers.entries()) {
      for (const other of answers.slice(i + 1)) {
        const either = new Set([...one, ...other])
        pairs++
        sum += either.size === 0 ? 1 : [...either].filter((value) => one.includes(value) && other.includes(value)).length / either.size
      }
    }
  }
  return pairs === 0 ? null : sum / pairs
}

export const panelFileRoutes = ['GET /api/blind-panels/:id/results.csv']

export function servePanelFile(api: Api): void {
  memberFile(api, {
    path: '/api/blind-panels/:id/results.csv',
    params: IdParams,
    rateLimit: 'read',
    file: async ({ ctx, actor, params }) => ({
      name: 'blind-panel.csv',
      type: 'text/csv; charset=utf-8',
      body: toCsv(await getPanelResults(ctx.db, actor, params.id)),
    }),
  })
}

function toCsv({ panel, jars }: PanelResults): string {
  const head = ['Jar', 'Plant', 'Phenotype', 'Cure (days)', 'Card', 'Answered', 'Taster']
  const questions = panel.traits.map(({ name, unit }) => (unit === '' ? name : `${name} (${unit})`))
  const lines = jars.flatMap(({ jarId, cards }) => {
    const jar = panel.jars.find(({ id }) => id === jarId)
    return cards.map(({ cardNumber, answeredAt, taster, comment, scores }): CsvCell[] => [
      jar?.jarName ?? '',
      jar?.plant?.name ?? '',
      jar?.plant?.label ?? '',
      jar?.cureDays ?? null,
      cardNumber,
      answeredAt,
      taster,
      ...panel.traits.map((trait) =>
        cellOf(
          trait,
          scores.find(({ traitId }) => traitId === trait.id),
        ),
      ),
      comment,
    ])
  })
  return csvFile([...head, ...questions, 'Remark'], lines)
}

function cellOf({ options }: PanelResults['panel']['traits'][number], score: GivenScore | undefined): CsvCell {
  if (!score) return null
  const value = scoreValueOf(score)
  if (value.kind === 'number') return value.number
  if (value.options.length === 0) return 'none'
  return value.options.map((each) => options.find((option) => option.value === each)?.label ?? String(each)).join('; ')
}
