import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { hashPassword, insertAccount } from '#server/features/accounts/index.ts'
import { countAll, countsOfPerson } from './dataset-counts.ts'
import { followTables } from './dataset-follows.ts'
import { idsOf } from './dataset-ids.ts'
import { notificationTables } from './dataset-notifications.ts'
import { peopleTables } from './dataset-people.ts'
import { postTables } from './dataset-posts.ts'
import { reviewTables } from './dataset-reviews.ts'
import { measuredPerson, type Shape } from './dataset-shape.ts'
import { type LoadedTable, loadTables } from './load-tables.ts'

export const measured = {
  email: 'measured@bench.sungrove.example',
  password: 'seven green terraces at dawn',
  firstName: 'Bench',
  lastName: 'Mark',
  birthday: '1990-01-01',
}

/** People in the database other than the measured person. */
export async function foreignPeople(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('email', '<>', measured.email)
    .executeTakeFirstOrThrow()
  return count
}

/** Loads the dataset in one transaction, after creating the measured person's account. `url` and `db` must refer to the same database. */
export async function loadDataset(db: Db, url: string, shape: Shape, report?: (loaded: LoadedTable) => void): Promise<void> {
  const measuredId = await measuredAccount(db, shape)
  const counts = countAll(shape)
  const ids = idsOf(shape, measuredId)
  const tables = [
    ...peopleTables(shape, ids, counts),
    ...followTables(shape, ids),
    ...postTables(shape, ids),
    ...reviewTables(shape, ids),
    ...notificationTables(shape, ids),
  ]
  const { following, followers, posts } = countsOfPerson(shape, counts, measuredPerson(shape))
  await loadTables(
    url,
    tables,
    (client) =>
      client.query(
        `update users set email_verified = true, has_completed_onboarding = true, is_profile_public = true, location = 'Denver, CO',
         following_count = $2, followers_count = $3, posts_count = $4 where id = $1`,
        [measuredId, following, followers, posts],
      ),
    report,
  )
}

/** Created on the first load, and reused if that load failed midway. */
export async function measuredAccount(db: Db, shape: Shape): Promise<string> {
  const known = await db.selectFrom('users').select('id').where('email', '=', measured.email).executeTakeFirst()
  if (known) return known.id
  const { email, firstName, lastName, birthday } = measured
  const account = {
    email,
    firstName,
    lastName,
    birthday,
    userType: 'consumer' as const,
    passwordHash: await hashPassword(measured.password),
  }
  const id = await inTransaction(db, (tx) => insertAccount(tx, account, shape.until))
  if (id === null) throw new Error(`${email} was registered at this moment by someone else.`)
  return id
}
