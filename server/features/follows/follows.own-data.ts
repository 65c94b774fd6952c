import { sql } from 'kysely'
import { inTransaction } from '#server/db/transaction.ts'
import { changeFollowingCount, lockPeople } from '#server/features/people/index.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { removePersonFollow } from './write-follows.ts'

const batch = 100

/** Follows between people in both directions, and follows of businesses; runs after the subscriptions that imply them. */
export const eraseFollows: EraseStep = {
  name: 'follows',
  async eraseSome(ctx, { id }) {
    const { rows } = await sql<{ other: string }>`
      (select person_id as other from person_follows where follower_id = ${id}::uuid limit ${batch}::int)
      union (select follower_id from person_follows where person_id = ${id}::uuid limit ${batch}::int)`.execute(ctx.db)
    return inTransaction(ctx.db, async (tx) => {
      await lockPeople(tx, [id, ...rows.map(({ other }) => other)])
      for (const { other } of rows) {
        await removePersonFollow(tx, id, other)
        await removePersonFollow(tx, other, id)
      }
      const businesses = await tx.deleteFrom('business_follows').where('user_id', '=', id).executeTakeFirstOrThrow()
      const count = Number(businesses.numDeletedRows)
      if (count > 0) await changeFollowingCount(tx, id, -count)
      return rows.length + count
    })
  },
}
