import { sql } from 'kysely'
import { type EndKind, genotypeName, type Standing } from '../../../contracts/plants.ts'
import type { Tx } from '../../db/connect.ts'
import { AppError } from '../../kernel/errors.ts'

type Genotype = { id: string; number: number; label: string; standing: Standing | null }

/** What somebody chooses to do to the last living copy, and must confirm. A death is nobody's choice. */
const deeds: Record<Exclude<EndKind, 'died'>, { one: string; many: string }> = {
  culled: { one: 'cull it', many: 'cull them' },
  harvested: { one: 'harvest it', many: 'harvest them' },
  given_away: { one: 'give it away', many: 'give them away' },
}

/**
 * The cull lock: nobody ends the last living copy of a genotype without having named it. Asked with the genotypes held for update, so
 * that of two who end the last two copies at once, the second is told.
 * @throws AppError last_copy unless `confirmed` names exactly those whose last copy goes ("#7")
 */
export async function requireConfirmedLastCopies(
  tx: Tx,
  genotypes: readonly Genotype[],
  { plantIds, endedHow, confirmed }: { plantIds: readonly string[]; endedHow: EndKind; confirmed: readonly string[] },
): Promise<void> {
  if (endedHow === 'died') return
  const last = await lastCopiesAmong(tx, genotypes, plantIds)
  const lastNames = new Set(last.map(({ number }) => genotypeName(number)))
  const unconfirmed = last.filter(({ number }) => !confirmed.includes(genotypeName(number)))
  if (unconfirmed.length > 0) {
    const deed = deeds[endedHow]
    const fields = Object.fromEntries(last.map((genotype) => [genotypeName(genotype.number), warningOf(genotype, deed.one)]))
    const [only] = last
    const message = last.length === 1 && only ? warningOf(only, deed.one) : warningOfMany(last, deed.many)
    throw new AppError('last_copy', { message, fields })
  }
  const [superfluous] = confirmed.filter((name) => !lastNames.has(name))
  if (superfluous !== undefined) {
    const message = `${superfluous} would not lose its last living copy by this. Look at it again, then confirm what is left to confirm.`
    throw new AppError('last_copy', { message, fields: { [superfluous]: message } })
  }
}

/** Those of which these plants are all that lives. */
async function lastCopiesAmong(tx: Tx, genotypes: readonly Genotype[], plantIds: readonly string[]): Promise<Genotype[]> {
  const { rows } = await sql<{ genotype_id: string }>`
    select genotype_id from plants
    where genotype_id = any(${genotypes.map(({ id }) => id)}::uuid[]) and ended_on is null
    group by genotype_id
    having bool_and(id = any(${plantIds}::uuid[]))`.execute(tx)
  const ids = new Set(rows.map((row) => row.genotype_id))
  return genotypes.filter(({ id }) => ids.has(id)).sort((a, b) => a.number - b.number)
}

const called = ({ number, label }: Genotype): string => (label === '' ? genotypeName(number) : `${genotypeName(number)} “${label}”`)

/** A keeper is defended harder. */
function warningOf(genotype: Genotype, deed: string): string {
  const { number, standing } = genotype
  const name = genotypeName(number)
  if (standing === 'keep' || standing === 'breed') {
    const mark = standing === 'keep' ? 'a keeper' : 'to breed with'
    return `${called(genotype)} is marked as ${mark} and has no other living copy: once it is gone, nothing brings it back. Type ${name} to ${deed}.`
  }
  return `${called(genotype)} has no other living copy. Type ${name} to ${deed}.`
}

function warningOfMany(genotypes: readonly Genotype[], deed: string): string {
  const named = genotypes.slice(0, 5).map(called)
  const more = genotypes.length > 5 ? ` and ${genotypes.length - 5} more` : ''
  const keepers = genotypes.filter(({ standing }) => standing === 'keep' || standing === 'breed').length
  const warning = keepers > 0 ? ` ${keepers} of them ${keepers === 1 ? 'is' : 'are'} marked to keep or to breed with.` : ''
  return `${genotypes.length} have no other living copy: ${named.join(', ')}${more}.${warning} Type their numbers to ${deed}.`
}
