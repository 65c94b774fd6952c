import { type RawBuilder, sql } from 'kysely'

/** The name that others read, of `users`, and nothing else: nobody is found by a name that they hide. */
export const sortName = sql`lower(coalesce(nullif(trim(users.display_name), ''), concat_ws(' ', trim(users.first_name), trim(users.last_name))))`

/** By the beginning of the name or of a word in it; nobody whose name moderators hid. */
export function isNamed(search: string): RawBuilder<boolean> {
  const beginning = `${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`(users.profile_moderation is null and (${sortName} like ${beginning} or ${sortName} like ${`% ${beginning}`}))`
}

/** One of `users` follows the person, or is followed: whom one can ask to share in what is not for everybody. */
export const isAcquainted = (personId: RawBuilder<unknown>) => sql<boolean>`users.id in (
  select person_id from person_follows where follower_id = ${personId}
  union select follower_id from person_follows where person_id = ${personId})`
