import { type GivenScore, type PanelResults, scoreValueOf } from '../../../contracts/blind-panels.ts'
import { type CsvCell, csvFile } from '../../../contracts/csv.ts'
import { IdParams } from '../../../contracts/ids.ts'
import { memberFile } from '../../kernel/member-file.ts'
import type { Api } from '../../kernel/route.ts'
import { getPanelResults } from './panel-results.ts'

export const panelFileRoutes = ['GET /api/blind-panels/:id/results.csv']

/** Every answer of a closed panel, a line a card. */
export function servePanelFile(api: Api): void {
  memberFile(api, {
    path: '/api/blind-panels/:id/results.csv',
    params: IdParams,
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
