import { type RawBuilder, sql } from 'kysely'

type Ids = readonly string[] | RawBuilder<readonly string[]>

/**
 * Reads the rows of a page: `column = ${pageIds(ids)}`.
 *
 * With the list itself as the parameter, PostgreSQL considers a custom plan for three rows cheaper than its generic plan for ten, so it
 * plans every execution of a prepared statement again. For reads of posts, planning took ten times as long as reading. The planner can't
 * see into a subselect, so it assumes ten rows for both plans and reuses the generic plan.
 */
export const pageIds = (ids: Ids) => sql`any(${idsSubquery(ids)}::uuid[])`

/** Like `pageIds`, for `unnest`. */
export const idsSubquery = (ids: Ids) => sql`(select ${ids}::uuid[])`

export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)
