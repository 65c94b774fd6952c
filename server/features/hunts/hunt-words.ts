import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import { createWordCheck, personFacts, refusalsIn, requireClean } from '#server/features/screening/index.ts'
import { type Actor, requireNotMuted } from '#server/kernel/actor.ts'
import { invalidField } from '#server/kernel/errors.ts'

/** Keys of free text in calls about hunts, at any depth of the body; tests/speaking-calls.test.ts fails if one is missing. */
export const huntTextKeys: ReadonlySet<string> = new Set(
  `huntName breeders growEnvironment goals notes backupHolder feed pestControl training title name unit analyte label note reason lab samplePosition
  room medium light mother father generation breeder source instructions sensorName fileName`.split(/\s+/),
)

/**
 * Checks text added to a hunt. A private hunt without shares accepts any text. If others can read it, muted people can't add text, and the
 * text must meet the rules for posts. Violations are refused, not held: review would hide the whole hunt. Text already in the hunt passes,
 * so that calls can be retried and logs corrected. The hunt must be locked.
 */
export async function requireHuntWords(tx: Tx, actor: Actor, huntId: string, body: object): Promise<void> {
  const texts = textsIn(body)
  if (texts.length === 0 || !(await isReadByOthers(tx, huntId))) return
  if (actor.mutedUntil !== null) {
    for (const [, text] of texts) if (!(await isInHunt(tx, huntId, text))) requireNotMuted(actor)
  }
  const facts = personFacts('hunt', actor)
  const refused: Record<string, string> = {}
  for (const [field, text] of texts) {
    for (const { phrase, message } of refusalsIn(text, facts)) if (!(await isInHunt(tx, huntId, phrase))) refused[field] ??= message
  }
  requireClean(refused)
}

/** Checks all text of a hunt before others can read it. @throws AppError invalid_input about `field` */
export async function requireShowableHunt(tx: Tx, actor: Actor, huntId: string, field: string): Promise<void> {
  const check = createWordCheck(personFacts('hunt', actor), null)
  const { rows } = await sql<{ place: string; text: string }>`
    select distinct place, text from (${textsOf(huntId)}) as texts where text <> ''`.execute(tx)
  for (const [i, { place, text }] of rows.entries()) {
    const { refused } = check({ refused: text })
    if (refused) throw invalidField(field, `In ${place}: ${refused}`)
    // A hunt may have thousands of logs.
    if (i % 200 === 199) await yieldToOthers()
  }
}

function textsIn(value: unknown, path = '', isText = false): [field: string, text: string][] {
  if (typeof value === 'string') return isText && value !== '' ? [[path, value]] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    textsIn(inner, path === '' ? key : `${path}.${key}`, Array.isArray(value) ? isText : huntTextKeys.has(key)),
  )
}

async function isReadByOthers(tx: Tx, huntId: string): Promise<boolean> {
  const { rows } = await sql<{ is_read: boolean }>`
    select visibility = 'public' or exists (select from hunt_shares where hunt_shares.hunt_id = hunts.id) as is_read
    from hunts where id = ${huntId}::uuid`.execute(tx)
  return rows[0]?.is_read ?? false
}

/** Reads all text of the hunt, so call it only for muted people and for text that would be refused. */
async function isInHunt(tx: Tx, huntId: string, text: string): Promise<boolean> {
  const { rows } = await sql`
    select from (${textsOf(huntId)}) as texts where position(lower(${text}::text) in lower(text)) > 0 limit 1`.execute(tx)
  return rows.length > 0
}

/** Includes tasks, because a share may give write access. */
const textsOf = (huntId: string): RawBuilder<unknown> => {
  const id = sql`${huntId}::uuid`
  const inHunt = (place: string, table: string, columns: readonly string[]) =>
    sql`select ${sql.lit(place)} as place, concat_ws(chr(10), ${sql.join(columns.map((column) => sql.ref(column)))}) as text
      from ${sql.table(table)} where hunt_id = ${id}`
  return sql.join(
    [
      sql`select 'the hunt itself' as place, concat_ws(chr(10), hunt_name, array_to_string(breeders, chr(10)), grow_environment, goals) as text
        from hunts where id = ${id}`,
      sql`select 'the log of ' || logged_on as place, concat_ws(chr(10), notes, feed, pest_control, training, scorer) as text
        from grow_logs where hunt_id = ${id} and deleted_at is null`,
      sql`select 'a trait' as place, concat_ws(chr(10), name, analyte, unit, options::text) as text from traits where hunt_id = ${id}`,
      inHunt('a seed lot', 'seed_lots', ['mother', 'father', 'generation', 'breeder', 'source']),
      inHunt('a pheno', 'genotypes', ['label', 'notes', 'backup_holder']),
      inHunt('a plant', 'plants', ['notes']),
      inHunt('a decision', 'decisions', ['reason']),
      inHunt('a run', 'runs', ['name', 'room', 'medium', 'light']),
      inHunt('an observation', 'observations', ['note', 'scorer']),
      inHunt('a harvest', 'harvests', ['notes']),
      inHunt('a lab result', 'lab_results', ['lab', 'sample_position', 'analyte', 'unit']),
      inHunt('a task', 'hunt_tasks', ['title']),
      inHunt('a sensor', 'climate_sensors', ['name']),
      inHunt('a climate import', 'climate_imports', ['file_name']),
      inHunt('a blind panel', 'blind_panels', ['name', 'instructions']),
      sql`select 'a blind panel' as place, jar_name as text
        from panel_jars join blind_panels on blind_panels.id = panel_jars.panel_id where blind_panels.hunt_id = ${id}`,
    ],
    sql` union all `,
  )
}
