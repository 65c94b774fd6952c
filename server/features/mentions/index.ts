import { type RawBuilder, sql } from 'kysely'
import type { Mention, NewMention } from '#contracts/posts.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { bylineColumns, notBlocked, toPerson } from '#server/features/people/index.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    /** A visible text with mentions was written or changed. */
    'mentions.written': { postId: string | null; commentId: string | null }
  }
}

export type MentioningText = { postId: string } | { commentId: string }

const subjectOf = (text: MentioningText) =>
  'postId' in text ? ({ column: 'post_id', id: text.postId } as const) : ({ column: 'comment_id', id: text.commentId } as const)

const mentionsIn = (tx: Db, text: MentioningText) => {
  const { column, id } = subjectOf(text)
  return tx.selectFrom('mentions').select(['person_id', 'business_id', 'start', 'length']).where(column, '=', id).orderBy('start').execute()
}

export async function hasMentions(db: Db, text: MentioningText): Promise<boolean> {
  return (await mentionsIn(db, text)).length > 0
}

type Written = {
  writerId: string
  content: string
  mentions: readonly NewMention[]
  /** The content before an edit, which has the current mentions. */
  before?: string | undefined
  /** A community that not everyone can read: only its members can be mentioned there. */
  closedCommunityId: string | null
  /** For text written earlier: a mention that is no longer possible becomes plain text instead of an error. */
  dropsImpossible?: boolean | undefined
}

/**
 * Replaces the mentions in a text. Each must be the current name of someone the writer may see, unless it was already there. Requires
 * a lock on the text. Returns whether anyone is mentioned.
 * @throws AppError invalid_input
 */
export async function replaceMentions(tx: Tx, text: MentioningText, written: Written): Promise<boolean> {
  const { content, mentions, before } = written
  const sorted = mentions.toSorted((one, other) => one.start - other.start)
  requireApart(sorted)
  const existing = before === undefined ? [] : await mentionsIn(tx, text)
  const known = new Set(existing.map((row) => `${row.person_id ?? row.business_id} ${before?.slice(row.start, row.start + row.length)}`))
  const wordsOf = ({ start, length }: NewMention) => content.slice(start, start + length)
  const added = sorted.filter((mention) => !known.has(`${mention.id} ${wordsOf(mention)}`))
  const names = await mentionable(tx, written, added)
  const impossible = new Set(added.filter((mention) => wordsOf(mention) !== `@${names.get(mention.id)}`))
  if (impossible.size > 0 && !written.dropsImpossible) {
    throw invalidField('content', 'We can’t find someone you mentioned. Remove the mention and choose them again.')
  }
  const { column, id } = subjectOf(text)
  if (before !== undefined) await tx.deleteFrom('mentions').where(column, '=', id).execute()
  const possible = sorted.filter((mention) => !impossible.has(mention))
  if (possible.length === 0) return false
  const rows = possible.map(({ kind, id: mentioned, start, length }) => ({
    ...{ [column]: id, start, length },
    ...(kind === 'person' ? { person_id: mentioned } : { business_id: mentioned }),
  }))
  await tx.insertInto('mentions').values(rows).execute()
  return true
}

function requireApart(sorted: readonly NewMention[]): void {
  const isApart = sorted.every(({ start }, i) => i === 0 || start >= (sorted[i - 1]?.start ?? 0) + (sorted[i - 1]?.length ?? 0))
  if (!isApart) throw new AppError('invalid_input', { message: 'Two mentions overlap.', fields: { mentions: 'Two mentions overlap' } })
}

/** Names, by ID, of the people and businesses the writer may mention here. */
async function mentionable(
  tx: Tx,
  { writerId, closedCommunityId }: Written,
  mentions: readonly NewMention[],
): Promise<Map<string, string>> {
  const ids = (kind: NewMention['kind']) => mentions.filter((mention) => mention.kind === kind).map(({ id }) => id)
  const [people, businesses] = [ids('person'), ids('business')]
  const names = new Map<string, string>()
  if (people.length > 0) {
    const rows = await tx
      .selectFrom('users')
      .select(bylineColumns)
      .where(sql<boolean>`users.id = ${pageIds(people)}`)
      .where(notBlocked(writerId, 'users.id'))
      .where(isDemoIfWriterIs(writerId, 'users.is_demo'))
      .$if(closedCommunityId !== null, (query) =>
        query.where(sql<boolean>`exists (select from community_members
          where community_members.community_id = ${closedCommunityId}::uuid and community_members.user_id = users.id)`),
      )
      .execute()
    for (const row of rows) names.set(row.id, toPerson(row).name)
  }
  if (businesses.length > 0 && closedCommunityId === null) {
    for (const { id, name } of await mentionableBusinesses(tx, writerId, businesses)) names.set(id, name)
  }
  return names
}

export const mentionableBusinesses = (db: Db, viewerId: string, ids: readonly string[]) =>
  db
    .selectFrom('businesses')
    .select(['id', 'name'])
    .where(sql<boolean>`businesses.id = ${pageIds(ids)}`)
    .where(isBusinessMentionable(viewerId))
    .where(isDemoIfWriterIs(viewerId, 'businesses.is_demo'))
    .execute()

/** SQL: demo accounts can mention only demo people and businesses, because everyone knows their passwords. */
export const isDemoIfWriterIs = (writerId: string, isDemo: 'users.is_demo' | 'businesses.is_demo') =>
  sql<boolean>`(${sql.ref(isDemo)} or not exists (select from users writer where writer.id = ${writerId}::uuid and writer.is_demo))`

const isBusinessMentionable = (viewerId: string) => sql<boolean>`(businesses.moderation is null
  and not exists (select from business_blocks where business_blocks.user_id = ${viewerId}::uuid and business_blocks.business_id = businesses.id)
  and not exists (select from business_person_blocks shut where shut.business_id = businesses.id and shut.person_id = ${viewerId}::uuid))`

/** Call after a text is emptied. */
export async function removeMentions(tx: Tx, text: MentioningText): Promise<void> {
  const { column, id } = subjectOf(text)
  await tx.deleteFrom('mentions').where(column, '=', id).execute()
}

/** Mentions that the viewer may see, by the text's ID. Doesn't check access to the texts. */
export async function loadMentions(
  db: Db,
  viewerId: string | null,
  kind: 'post' | 'comment',
  ids: readonly string[],
): Promise<Map<string, Mention[]>> {
  if (viewerId === null || ids.length === 0) return new Map()
  const column = sql.ref(kind === 'post' ? 'mentions.post_id' : 'mentions.comment_id')
  const { rows } = await sql<Row>`
    select ${column} as text_id, mentions.start, mentions.length, mentions.person_id, mentions.business_id, businesses.slug
    from mentions left join businesses on businesses.id = mentions.business_id
    where ${column} = ${pageIds(ids)}
      and case when mentions.person_id is not null then ${notBlocked(viewerId, 'mentions.person_id')} else ${isBusinessMentionable(viewerId)} end
    order by mentions.start`.execute(db)
  const found = new Map<string, Mention[]>()
  for (const row of rows) found.set(row.text_id, [...(found.get(row.text_id) ?? []), toMention(row)])
  return found
}

type Row = {
  text_id: string
  start: number
  length: number
  person_id: string | null
  business_id: string | null
  slug: string | null
}

const toMention = ({ start, length, person_id: personId, business_id: businessId, slug }: Row): Mention =>
  personId === null
    ? { kind: 'business', id: businessId ?? '', start, length, path: `/business/${slug}` }
    : { kind: 'person', id: personId, start, length, path: `/people/${personId}` }

/** People whom a text mentions, directly or as part of a business's team. */
export async function mentionedIn(db: Db, text: MentioningText): Promise<string[]> {
  const { column, id } = subjectOf(text)
  const { rows } = await sql<{ id: string }>`
    select person_id as id from mentions where ${sql.ref(column)} = ${id}::uuid and person_id is not null
    union select business_members.user_id from mentions join business_members on business_members.business_id = mentions.business_id
    where ${sql.ref(column)} = ${id}::uuid`.execute(db)
  return rows.map((row) => row.id)
}

/** SQL: a text mentions the person, or a business whose team they are on. */
export const mentionsPerson = (text: RawBuilder<unknown>, personId: RawBuilder<unknown>) => sql<boolean>`exists (
  select from mentions where ${text} and (mentions.person_id = ${personId} or exists (
    select from business_members where business_members.business_id = mentions.business_id and business_members.user_id = ${personId})))`
