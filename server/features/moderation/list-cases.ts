import type { Parsed } from '../../../contracts/endpoint.ts'
import type { listCases as contract, ModerationCase } from '../../../contracts/moderation.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { invalidField } from '../../kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { type CaseRow, decidedCases, openCases } from './cases.queries.ts'
import { toCases } from './cases.view.ts'
import type { ModerationParts } from './ports.ts'
import { requireSeatFor } from './seats.ts'

type Query = Parsed<(typeof contract)['query']>

/** @throws AppError forbidden, second_factor_required, not_found */
export async function listCases(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { subjects, communities }: ModerationParts,
  actor: Actor,
  query: Query,
): Promise<Page<ModerationCase>> {
  const now = clock.now()
  const seat = await requireSeatFor(db, communities, actor, query.scope, now)
  const filter = { seat, now, kind: query.kind, mineOf: query.mine ? actor.id : null, limit: query.limit + 1 }
  const page =
    query.status === 'open'
      ? toPage(await openCases(db, filter, openCursor(query.cursor)), query.limit, openKey)
      : toPage(await decidedCases(db, filter, decodeCursor(query.cursor, ['time', 'id'])), query.limit, decidedKey)
  return { items: await toCases(db, subjects, actor.id, page.items, now), nextCursor: page.nextCursor }
}

/** When it is due, in milliseconds; 0: it is not. */
const openKey = (row: CaseRow) => [row.due_at?.getTime() ?? 0, row.opened_at.toISOString(), row.id]
const decidedKey = (row: CaseRow) => [(row.decided_at as Date).toISOString(), row.id]

/** Of JavaScript's dates. */
const latest = 8_640_000_000_000_000

/** @throws AppError invalid_input */
export function openCursor(cursor: string | undefined) {
  const key = decodeCursor(cursor, ['number', 'time', 'id'])
  if (key === null) return null
  const [due, openedAt, id] = key
  if (!Number.isInteger(due) || due < 0 || due > latest) throw invalidField('cursor', 'Not valid')
  return { due: due === 0 ? null : new Date(due), openedAt, id }
}
