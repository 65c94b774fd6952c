import { type Nullable, type RawBuilder, sql } from 'kysely'
import { publicDisplayName } from '#contracts/people.rules.ts'
import type { Person } from '#contracts/people.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { escapeLike } from '#server/kernel/fold-text.ts'
import { bylinePicture } from '#server/kernel/media-address.ts'
import { formerMemberId } from '#server/kernel/own-data.ts'

export type NamedRow = {
  id: string
  display_name: string | null
  first_name: string | null
  last_name: string | null
  image_id: string | null
  is_profile_public: boolean
  /** If moderators hid the profile, others see neither the name nor the picture. */
  profile_moderation: string | null
}

export const bylineColumns = [
  'users.id',
  'users.display_name',
  'users.first_name',
  'users.last_name',
  'users.image_id',
  'users.is_profile_public',
  'users.profile_moderation',
] as const

/** A person as others see them next to their content. A private profile shows only the name. */
export const toPerson = (row: NamedRow): Person => ({
  id: row.id,
  name: row.profile_moderation === null ? unmoderatedName(row) : hiddenName,
  imageUrl: !row.is_profile_public || row.profile_moderation !== null ? null : bylinePicture(row.image_id),
})

/** For a left join: null if it found no person. People always have an ID. */
export const toPersonOrNull = (row: Nullable<NamedRow>): Person | null => (row.id === null ? null : toPerson(row as NamedRow))

export const hiddenName = 'Member'

/** The real name, even if hidden. Show it only to moderators. */
export const unmoderatedName = (row: Pick<NamedRow, 'display_name' | 'first_name' | 'last_name'>): string =>
  publicDisplayName({ displayName: row.display_name, firstName: row.first_name, lastName: row.last_name })

/** Not a valid address, so no one can register with it or email it. */
const email = 'former member'

/** The placeholder account for everyone who has left, created on first use. Others see "Member" without a profile. */
export async function ensureFormerMember(tx: Tx, now: Date): Promise<string> {
  await tx
    .insertInto('users')
    .values({
      id: formerMemberId,
      email,
      name: '',
      is_profile_public: false,
      takes_messages_from: 'nobody',
      profile_moderation: 'removed',
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return formerMemberId
}

/**
 * People by ID regardless of blocks: for moderators, the audit log, and content that two people share. Use `visiblePeople` if blocks
 * matter. `show` converts a row, by default as others see it.
 */
export async function peopleById(
  db: Db,
  ids: readonly (string | null)[],
  show: (row: NamedRow) => Person = toPerson,
): Promise<Map<string, Person>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows = await db.selectFrom('users').select(bylineColumns).where(sql<boolean>`users.id = any(${wanted}::uuid[])`).execute()
  return new Map(rows.map((row) => [row.id, show(row)]))
}

/** The lowercase name of a `users` row, even if moderators hid it. */
export const sortName = sql`lower(coalesce(nullif(trim(users.display_name), ''), concat_ws(' ', trim(users.first_name), trim(users.last_name))))`

/** Matches the start of the name or of any word in it. Names that moderators hid never match. */
export function isNamed(search: string): RawBuilder<boolean> {
  const beginning = `${escapeLike(search.toLowerCase())}%`
  return sql<boolean>`(users.profile_moderation is null and (${sortName} like ${beginning} or ${sortName} like ${`% ${beginning}`}))`
}

/**
 * SQL: the `users` row follows the person or is followed by them. Hunts can be shared only with acquaintances, and only acquaintances can
 * be invited to a community by name.
 */
export const isAcquainted = (personId: RawBuilder<unknown>) => sql<boolean>`users.id in (
  select person_id from person_follows where follower_id = ${personId}
  union select follower_id from person_follows where person_id = ${personId})`
