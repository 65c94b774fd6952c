import type { BusinessSummary } from '#contracts/businesses.ts'
import type { Correction, CorrectionCase } from '#contracts/corrections.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { loadSummaries, requireBusiness } from '#server/features/businesses/index.ts'
import { peopleById } from '#server/features/people/index.ts'
import { roleCan, roleOf } from '#server/features/team/index.ts'
import { type Actor, hasRole } from '#server/kernel/actor.ts'
import { type Page, toPage } from '#server/kernel/keyset.ts'
import { permissionFor, voteRefusal } from './corrections.policy.ts'
import { type CorrectionRow, correctionCases, correctionsOf, type VoteCounts, voterAt, votesOf } from './corrections.queries.ts'

async function viewCorrections(db: Db, viewer: Actor, businessId: string, rows: readonly CorrectionRow[], now: Date) {
  const ids = rows.map(({ id }) => id)
  const [votes, voter, role, others] = await Promise.all([
    votesOf(db, ids, viewer.id),
    voterAt(db, viewer.id, businessId),
    roleOf(db, businessId, viewer.id),
    otherListings(db, rows, now),
  ])
  const rolesThere = new Map(await Promise.all([...others.keys()].map(async (id) => [id, await roleOf(db, id, viewer.id)] as const)))
  return rows.map((row) => {
    const isAuthor = row.user_id === viewer.id
    const refusal = voteRefusal({ ...voter, isAuthor, isMuted: viewer.mutedUntil !== null }, row.value.kind, now)
    const maySettle = roleCan(role, permissionFor(row.value.kind)) || (hasRole(viewer, 'moderator') && role === null && !isAuthor)
    const other = otherOf(row)
    const there = other === null ? null : rolesThere.get(other)
    const isModerating = hasRole(viewer, 'moderator') && role === null && there === null && !isAuthor
    const mayMerge = isModerating || (role === 'owner' && there === 'owner')
    return toCorrection(row, votes(row.id), others, { isAuthor, refusal, maySettle, mayMerge })
  })
}

export async function viewCorrection(db: Db, viewer: Actor, row: CorrectionRow, now: Date): Promise<Correction> {
  const [correction] = await viewCorrections(db, viewer, row.business_id, [row], now)
  return correction as Correction
}

type Viewer = { isAuthor: boolean; refusal: string | null; maySettle: boolean; mayMerge: boolean }
type Others = ReadonlyMap<string, BusinessSummary>

const otherOf = ({ value }: CorrectionRow): string | null => (value.kind === 'duplicate' ? value.of : null)

/** By ID: the visible listings that the corrected ones are said to duplicate. */
async function otherListings(db: Db, rows: readonly CorrectionRow[], now: Date): Promise<Others> {
  const ids = [...new Set(rows.flatMap((row) => otherOf(row) ?? []))]
  const summaries = ids.length === 0 ? [] : await loadSummaries(db, ids, now)
  return new Map(summaries.map((summary) => [summary.id, summary]))
}

function toCorrection(row: CorrectionRow, votes: VoteCounts, others: Others, viewer: Viewer): Correction {
  const { isAuthor, refusal, maySettle, mayMerge } = viewer
  const isOpen = row.state === 'open'
  const other = others.get(otherOf(row) ?? '') ?? null
  return {
    id: row.id,
    businessId: row.business_id,
    value: row.value,
    duplicateOf: other,
    state: row.state,
    settledAs: row.settled_as,
    settledAt: row.settled_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    agreeCount: votes.agreeCount,
    disagreeCount: votes.disagreeCount,
    isYours: isAuthor,
    yourVote: votes.yourVote === null ? null : votes.yourVote ? 'agree' : 'disagree',
    abilities: {
      vote: isOpen && refusal === null,
      voteRefusal: isOpen && !isAuthor ? refusal : null,
      settle: isOpen && maySettle,
      merge: isOpen && other !== null && mayMerge,
      withdraw: isOpen && isAuthor,
    },
  }
}

type Query = { limit: number; cursor?: string | undefined; state: 'open' | 'settled' }

/** @throws AppError not_found */
export async function listCorrections(db: Db, viewer: Actor, idOrSlug: string, query: Query, now: Date): Promise<Page<Correction>> {
  const { id } = await requireBusiness(db, idOrSlug, viewer.id)
  const rows = await correctionsOf(db, id, query)
  const { items, nextCursor } = toPage(rows, query.limit, (row) => [row.created_at.toISOString(), row.id])
  return { items: await viewCorrections(db, viewer, id, items, now), nextCursor }
}

export async function listCorrectionCases(db: Db, viewer: Actor, query: Query, now: Date): Promise<Page<CorrectionCase>> {
  const rows = await correctionCases(db, viewer.id, query, now)
  const isOpen = query.state === 'open'
  const { items, nextCursor } = toPage(rows, query.limit, (row) => [
    (isOpen ? row.created_at : (row.settled_at ?? row.created_at)).toISOString(),
    row.id,
  ])
  const ids = items.map(({ id }) => id)
  const [votes, others, businesses, authors] = await Promise.all([
    votesOf(db, ids, viewer.id),
    otherListings(db, items, now),
    loadSummaries(db, [...new Set(items.map((row) => row.business_id))], now),
    peopleById(
      db,
      items.map((row) => row.user_id),
    ),
  ])
  const byId = new Map(businesses.map((business) => [business.id, business]))
  return {
    nextCursor,
    items: items.flatMap((row) => {
      const business = byId.get(row.business_id)
      const author = authors.get(row.user_id)
      if (!business || !author) return []
      const correction = toCorrection(row, votes(row.id), others, { isAuthor: false, refusal: null, maySettle: true, mayMerge: true })
      return [{ correction, business, author }]
    }),
  }
}
