import { sql } from 'kysely'
import { HuntParams } from '../../../contracts/hunts.ts'
import { LabelsQuery, labelSheets, maxLabels } from '../../../contracts/labels.ts'
import { plantName } from '../../../contracts/plants.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { invalidField } from '../../kernel/errors.ts'
import { memberFile } from '../../kernel/member-file.ts'
import type { Api } from '../../kernel/route.ts'
import { requireHunt } from '../hunts/index.ts'
import { drawLabels } from './draw-labels.ts'

export const labelRoutes = ['GET /api/pheno-hunts/:id/labels.pdf']

/** Labels to stick on pots: number, name and code of each plant, and a code to scan that opens its quick log for those who see the hunt. */
export function registerLabels(api: Api): void {
  memberFile(api, {
    path: '/api/pheno-hunts/:id/labels.pdf',
    params: HuntParams,
    query: LabelsQuery,
    file: async ({ ctx, actor, params, query }) => {
      const pdf = await labelsPdf(ctx, actor, params.id, query)
      return { name: 'plant-labels.pdf', type: 'application/pdf', body: Buffer.from(pdf) }
    },
  })
}

type Ctx = Pick<Context, 'db' | 'config' | 'brand' | 'rateLimiter'>

/** @throws AppError not_found, invalid_input about the plants, too_many_requests */
async function labelsPdf(ctx: Ctx, actor: Actor, huntId: string, query: LabelsQuery): Promise<Uint8Array> {
  const hunt = await requireHunt(ctx.db, actor, huntId, 'view')
  const plants =
    query.plants === 'living' ? await livingPlants(ctx.db, huntId) : await plantsByNames(ctx.db, huntId, query.plants.split(','))
  if (plants.length === 0) throw invalidField('plants', 'No plant of this hunt is alive')
  if (plants.length > maxLabels) throw invalidField('plants', `At most ${maxLabels} labels in one file: choose some of the plants`)
  await ctx.rateLimiter.consume('drawing', `account:${actor.id}`)
  const labels = plants.map(({ number, copy, label, code }) => ({
    name: plantName(number, copy),
    label,
    code,
    url: `${ctx.config.publicUrl}/pheno-hunt/log/${code}`,
    huntName: query.name === 'yes' ? hunt.hunt_name : null,
  }))
  return drawLabels(labelSheets[query.sheet], labels, query.start, ctx.brand.name)
}

const selectPlants = (db: Db, huntId: string) =>
  db
    .selectFrom('plants')
    .innerJoin('genotypes', 'genotypes.id', 'plants.genotype_id')
    .select(['genotypes.number', 'genotypes.label', 'plants.copy', 'plants.code'])
    .where('plants.hunt_id', '=', huntId)
    .orderBy('genotypes.number')
    .orderBy('plants.copy')

const livingPlants = (db: Db, huntId: string) =>
  selectPlants(db, huntId)
    .where('ended_on', 'is', null)
    .limit(maxLabels + 1)
    .execute()

/** By names without the sharp, "7" or "7-2", each once. @throws AppError invalid_input for one that is not there */
async function plantsByNames(db: Db, huntId: string, names: readonly string[]) {
  const asked = new Map(names.map((name) => [`${Number(name.split('-')[0])}-${Number(name.split('-')[1] ?? 0)}`, name]))
  const numbers = [...asked.keys()].map((key) => Number(key.split('-')[0]))
  const copies = [...asked.keys()].map((key) => Number(key.split('-')[1]))
  const rows = await selectPlants(db, huntId)
    .where(sql<boolean>`(genotypes.number, plants.copy) in (select * from unnest(${numbers}::integer[], ${copies}::integer[]))`)
    .execute()
  const found = new Set(rows.map(({ number, copy }) => `${number}-${copy}`))
  for (const [key, name] of asked) if (!found.has(key)) throw invalidField('plants', `There is no plant #${name} in this hunt`)
  return rows
}
