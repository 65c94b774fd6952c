import { createHash } from 'node:crypto'
import { type HuntProof, hashedText } from '#contracts/hunt-archive.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { requireHunt } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { documentGate, readDocument } from './read-document.ts'

type ProofRow = { id: string; content_hash: string; made_at: Date; audit_sequence: number; audit_hash: string }

const columns = ['id', 'content_hash', 'made_at', 'audit_sequence', 'audit_hash'] as const

const toProof = (row: ProofRow): HuntProof => ({
  id: row.id,
  contentHash: row.content_hash,
  madeAt: row.made_at.toISOString(),
  auditSequence: row.audit_sequence,
  auditHash: row.audit_hash,
})

/**
 * Records the hash of the hunt's current content. If there are proofs of the same content, returns the first, because an earlier proof is
 * worth more.
 * @throws AppError not_found, forbidden, conflict if the hunt is too large for a document, unavailable
 */
export async function proveHunt(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, huntId: string): Promise<HuntProof> {
  const now = ctx.clock.now()
  const contentHash = await documentGate(() =>
    inTransaction(
      ctx.db,
      async (tx) => {
        const hunt = await requireHunt(tx, actor, huntId, 'own')
        return createHash('sha256')
          .update(hashedText(await readDocument(tx, hunt.id, now)))
          .digest('hex')
      },
      { isolation: 'repeatable read' },
    ),
  )
  // Uses its own transaction, because the document's snapshot can't lock the end of the audit log once other entries have been added.
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'own', { lock: 'update' })
    const there = await tx
      .selectFrom('hunt_proofs')
      .select(columns)
      .where('hunt_id', '=', huntId)
      .where('content_hash', '=', contentHash)
      .orderBy('made_at')
      .limit(1)
      .executeTakeFirst()
    if (there) return toProof(there)
    const id = newId()
    const entry = await recordAudit(tx, {
      at: now,
      actorId: actor.id,
      action: 'hunt.proven',
      subjectType: 'hunt-proof',
      subjectId: id,
      details: { contentHash },
    })
    const row = { id, content_hash: contentHash, made_at: now, audit_sequence: entry.sequence, audit_hash: entry.hash }
    await tx
      .insertInto('hunt_proofs')
      .values({ ...row, hunt_id: huntId, made_by: actor.id })
      .execute()
    return toProof(row)
  })
}

/** @throws AppError not_found */
export async function listProofs(db: Db, actor: Actor, huntId: string): Promise<HuntProof[]> {
  await requireHunt(db, actor, huntId, 'view')
  const rows = await db.selectFrom('hunt_proofs').select(columns).where('hunt_id', '=', huntId).orderBy('id', 'desc').limit(100).execute()
  return rows.map(toProof)
}

/**
 * Needs no access check: a 256-bit hash can't be guessed, and the proof doesn't reveal the hunt. Returns the first proof of this content.
 * @throws AppError not_found
 */
export async function findProof(db: Db, contentHash: string): Promise<Omit<HuntProof, 'id'>> {
  const row = await db
    .selectFrom('hunt_proofs')
    .select(columns)
    .where('content_hash', '=', contentHash)
    .orderBy('made_at')
    .limit(1)
    .executeTakeFirst()
  if (!row) throw notFound('No document with this hash was recorded here.')
  const { id: _, ...proof } = toProof(row)
  return proof
}
