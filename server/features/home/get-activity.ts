import { sql } from 'kysely'
import type { ResponseOf } from '../../../contracts/endpoint.ts'
import type { getActivity as contract } from '../../../contracts/home.ts'
import type { Db } from '../../db/connect.ts'

type Activity = ResponseOf<typeof contract>

/** What a person has done here, counted as it is now. */
export async function getActivity(db: Db, userId: string): Promise<Activity> {
  const { rows } = await sql<Activity>`select
    (select count(*) from post_likes where user_id = ${userId}) as likes,
    (select count(*) from comments where author_id = ${userId} and not is_deleted and moderation is null) as comments,
    (select count(*) from reviews where user_id = ${userId} and moderation is null) as reviews,
    (select count(*) from favorites where user_id = ${userId}) as favorites`.execute(db)
  return rows[0] as Activity
}
