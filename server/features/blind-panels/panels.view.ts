import type { Panel } from '#contracts/blind-panels.ts'
import { plantName } from '#contracts/plants.ts'
import type { TraitOption } from '#contracts/traits.ts'
import type { Db } from '#server/db/connect.ts'
import { type AccessibleHunt, requireHunt } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { notFound } from '#server/kernel/errors.ts'
import { jarsOfPanels, type PanelRow, panelById, panelsOf, traitsOfPanels } from './panels.queries.ts'

/** @throws AppError not_found */
export async function listPanels(db: Db, actor: Actor, huntId: string): Promise<Panel[]> {
  const hunt = await requireHunt(db, actor, huntId, 'view')
  return withJars(db, hunt, await panelsOf(db, huntId))
}

/** The caller has checked access to the hunt. @throws AppError not_found */
export async function readPanel(db: Db, hunt: Pick<AccessibleHunt, 'access'>, panelId: string): Promise<Panel> {
  const row = await panelById(db, panelId)
  const [panel] = await withJars(db, hunt, row ? [row] : [])
  if (!panel) throw notFound('Panel not found.')
  return panel
}

async function withJars(db: Db, { access }: Pick<AccessibleHunt, 'access'>, rows: readonly PanelRow[]): Promise<Panel[]> {
  const ids = rows.map(({ id }) => id)
  const [traits, jars] = [await traitsOfPanels(db, ids), await jarsOfPanels(db, ids)]
  return rows.map((row) => ({
    id: row.id,
    huntId: row.hunt_id,
    name: row.name,
    instructions: row.instructions,
    isOpen: row.is_open,
    closedAt: row.closed_at?.toISOString() ?? null,
    traits: traits
      .filter((trait) => trait.panel_id === row.id)
      .map(({ id, name, kind, unit, options }) => ({ id, name, kind, unit, options: options as TraitOption[] })),
    jars: jars
      .filter((jar) => jar.panel_id === row.id)
      .map((jar) => ({
        id: jar.id,
        jarName: jar.jar_name,
        // A person who can only view may be one of the testers, since anyone can view a public hunt.
        plant:
          row.is_open && access === 'view'
            ? null
            : {
                plantId: jar.plant_id,
                genotypeId: jar.genotype_id,
                number: jar.number,
                name: plantName(jar.number, jar.copy),
                label: jar.label,
              },
        cureDays: jar.cure_days,
        cards: Number(jar.cards),
        answered: Number(jar.answered),
        unprinted: Number(jar.unprinted),
      })),
    createdAt: row.created_at.toISOString(),
    version: row.version,
  }))
}
