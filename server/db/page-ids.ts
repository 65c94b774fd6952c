import { type RawBuilder, sql } from 'kysely'

type Ids = readonly string[] | RawBuilder<readonly string[]>

/**
 * Use as `column = ${pageIds(ids)}` to read the rows of a page.
 *
 * With the list itself as the parameter, PostgreSQL finds a custom plan for three rows cheaper than its generic plan for ten, and so
 * replans every execution of a prepared statement. For reads of posts, planning took ten times as long as reading. The contents of
 * a subselect are unknown to the planner, so it assumes ten both times and keeps the generic plan.
 */
export const pageIds = (ids: Ids) => sql`any(${idsApart(ids)}::uuid[])`

/** Like `pageIds`, for `unnest`. */
export const idsApart = (ids: Ids) => sql`(select ${ids}::uuid[])`

export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)
