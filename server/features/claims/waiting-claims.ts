import { sql } from 'kysely'
import { codeAttempts, type WaitingClaim } from '#contracts/claims.ts'
import type { Db } from '#server/db/connect.ts'
import { licensesOfAll, loadSummaries } from '#server/features/businesses/index.ts'
import { mediaOf } from '#server/features/media/index.ts'
import { bylineColumns, toPerson } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { decodeCursor, oldestAfter, type Page, toPage } from '#server/kernel/keyset.ts'
import { isStillAsked, licensesToProve } from './claims.queries.ts'
import { codeOf } from './enter-code.ts'

type Query = { limit: number; cursor?: string | undefined }

/** The moderators' queue, oldest first. Excludes a moderator's own claims and those about their businesses. */
export async function listWaitingClaims(
  { db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>,
  actor: Pick<Actor, 'id'>,
  query: Query,
): Promise<Page<WaitingClaim>> {
  const now = clock.now()
  const rows = await waitingRows(db, actor.id, query, now)
  const { items, nextCursor } = toPage(rows, query.limit, (row) => [row.created_at.toISOString(), row.claim_id])
  const ids = [...new Set(items.map((row) => row.business_id))]
  const businesses = new Map((await loadSummaries(db, ids, now)).map((business) => [business.id, business]))
  const licenses = await licensesOfAll(db, ids)
  const owners = await ownersOf(db, ids)
  const verificationIds = items.flatMap((row) => row.verification_id ?? [])
  const proven = await licensesToProve(db, verificationIds)
  const documentIds = items.flatMap((row) => row.document_id ?? [])
  const documents = await mediaOf(db, documentIds)
  return {
    nextCursor,
    items: items.flatMap((row) => {
      const business = businesses.get(row.business_id)
      if (!business || row.method === 'email') return []
      const code = row.method === 'phone' ? codeOf(config.sessionSecret, { ...row, id: row.claim_id }) : null
      return [
        {
          id: row.claim_id,
          method: row.method,
          isDispute: row.is_dispute,
          business,
          licenses: licenses.get(business.id) ?? [],
          proves: (row.verification_id && proven.get(row.verification_id)) || null,
          claimant: toPerson(row),
          memberSince: row.member_since.toISOString(),
          phone: row.phone,
          code,
          codeExpiresAt: row.code_expires_at?.toISOString() ?? null,
          attemptsLeft: codeAttempts - row.attempts,
          statement: row.statement,
          document: (row.document_id && documents.get(row.document_id)) || null,
          owner: owners.get(business.id) ?? null,
          createdAt: row.created_at.toISOString(),
        },
      ]
    }),
  }
}

function waitingRows(db: Db, viewerId: string, { limit, cursor }: Query, now: Date) {
  const after = decodeCursor(cursor, ['time', 'id'])
  return db
    .selectFrom('claims')
    .innerJoin('users', 'users.id', 'claims.user_id')
    .select(bylineColumns)
    .select('users.created_at as member_since')
    .select([
      'claims.id as claim_id',
      'claims.business_id',
      'claims.verification_id',
      'claims.method',
      'claims.is_dispute',
      'claims.email',
      'claims.phone',
    ])
    .select([
      'claims.code_number',
      'claims.code_expires_at',
      'claims.attempts',
      'claims.statement',
      'claims.document_id',
      'claims.created_at',
    ])
    .where('claims.status', '=', 'open')
    .where('claims.method', '!=', 'email')
    .where(isStillAsked)
    .where((eb) => eb.or([eb('claims.code_expires_at', 'is', null), eb('claims.code_expires_at', '>', now)]))
    .where('claims.user_id', '!=', viewerId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('business_members')
            .select('role')
            .whereRef('business_members.business_id', '=', 'claims.business_id')
            .where('business_members.user_id', '=', viewerId),
        ),
      ),
    )
    .$call((rows) => oldestAfter(rows, 'claims.created_at', 'claims.id', after))
    .limit(limit + 1)
    .execute()
}

async function ownersOf(db: Db, businessIds: readonly string[]) {
  const rows = await db
    .selectFrom('business_members')
    .innerJoin('users', 'users.id', 'business_members.user_id')
    .select(bylineColumns)
    .select('business_id')
    .where(sql<boolean>`business_id = any(${businessIds}::uuid[])`)
    .where('business_members.role', '=', 'owner')
    .execute()
  return new Map(rows.map((row) => [row.business_id, toPerson(row)]))
}
