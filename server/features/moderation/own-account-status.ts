import { type SqlBool, sql } from 'kysely'
import type { AccountStatus, OwnDecision } from '#contracts/moderation.endpoints.ts'
import { explainedActions, untitled } from '#contracts/moderation.rules.ts'
import type { ActionReason } from '#contracts/moderation.ts'
import type { Db } from '#server/db/connect.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { decodeCursor, newestAfter, type Page, toPage } from '#server/kernel/keyset.ts'
import type { SubjectPreview } from '#server/kernel/moderated-subject.ts'
import { appealUntil, toOwnAppeal } from './appeals.ts'
import { excerpt } from './cases.ts'
import { communityOf, type DecisionRow, decisions } from './decisions.ts'
import { findSubjects, previewSubjects, type Subjects } from './subjects.ts'

export const toAccountStatus = ({ mutedUntil, suspendedUntil }: Pick<Actor, 'mutedUntil' | 'suspendedUntil'>): AccountStatus => ({
  mutedUntil: mutedUntil?.toISOString() ?? null,
  suspendedUntil: suspendedUntil instanceof Date ? suspendedUntil.toISOString() : null,
  isBanned: suspendedUntil === 'forever',
})

/** Newest first. Includes approvals only if they made the content visible. */
export async function listOwnDecisions(
  db: Db,
  subjects: Subjects,
  userId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  now: Date,
): Promise<Page<OwnDecision>> {
  const after = decodeCursor(cursor, ['time', 'id'])
  const rows = await decisions(db)
    .where('moderation_actions.user_id', '=', userId)
    .where(
      sql<SqlBool>`(moderation_actions.action = any(${explainedActions}::text[]) or (moderation_actions.action = 'approve'
        and exists (select from moderation_effects where moderation_effects.action_id = moderation_actions.id)))`,
    )
    .$call((query) => newestAfter(query, 'moderation_actions.created_at', 'moderation_actions.id', after))
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, limit, (row) => [row.created_at.toISOString(), row.id])
  const [shown, appeals] = await Promise.all([ownPreviews(db, subjects, userId, items), appealsOf(db, items)])
  return { items: items.map((row) => toOwnDecision(row, shown.get(row.id), appeals.get(row.id), now)), nextCursor }
}

function toOwnDecision(row: DecisionRow, preview: Named | undefined, appeal: OwnDecision['appeal'] = null, now: Date): OwnDecision {
  const until = appealUntil(row.created_at)
  const isExplained = explainedActions.includes(row.action)
  const community = communityOf(row)
  return {
    id: row.id,
    action: row.action,
    subject: row.subject,
    title: preview?.title ?? null,
    excerpt: preview?.excerpt ?? '',
    path: preview?.path ?? null,
    reason: row.reason as ActionReason,
    explanation: row.explanation,
    community,
    createdAt: row.created_at.toISOString(),
    endsAt: row.ends_at?.toISOString() ?? null,
    undoneAt: row.undone_at?.toISOString() ?? null,
    stands: row.undone_at === null && (row.ends_at === null || row.ends_at > now) && community?.slug !== null,
    mayAppeal: isExplained && row.undone_at === null && appeal === null && now <= until,
    appealUntil: until.toISOString(),
    appeal,
  }
}

type Named = Pick<SubjectPreview, 'title' | 'path'> & { excerpt: string }

/**
 * Titles, excerpts and paths by action ID, for subjects that still belong to the person, so they can tell what to appeal. Removed content
 * has no path: usually, only moderators can see it.
 */
async function ownPreviews(db: Db, subjects: Subjects, userId: string, rows: readonly DecisionRow[]): Promise<Map<string, Named>> {
  const facts = await findSubjects(db, subjects, rows)
  const own = rows.flatMap((row, i) => (facts[i]?.userId === userId ? { row, isRemoved: facts[i].state === 'removed' } : []))
  const previews = await previewSubjects(
    db,
    subjects,
    own.map(({ row }) => row),
  )
  return new Map(
    own.flatMap(({ row, isRemoved }, i) => {
      const preview = previews[i]
      if (!preview) return []
      const named = { title: preview.title, excerpt: untitled.includes(row.subject) ? excerpt(preview.text) : '' }
      return [[row.id, { ...named, path: isRemoved ? null : preview.path }] as const]
    }),
  )
}

async function appealsOf(db: Db, rows: readonly DecisionRow[]) {
  const appeals = await db
    .selectFrom('moderation_appeals')
    .selectAll()
    .where(sql<SqlBool>`action_id = any(${rows.map(({ id }) => id)}::uuid[])`)
    .execute()
  return new Map(appeals.map((row) => [row.action_id, toOwnAppeal(row)]))
}
