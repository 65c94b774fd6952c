import { type RawBuilder, sql } from 'kysely'

type Ids = readonly string[] | RawBuilder<readonly string[]>

/**
 * For `column = ${theseIds(ids)}`: the rows of a page.
 *
 * With the list itself as the parameter, PostgreSQL finds that a plan for these three rows is cheaper than its plan for any ten, and plans
 * each execution of a prepared statement anew. For the reads of posts that took ten times as long as reading them. From a subselect it
 * knows no list beforehand, takes ten for granted both times, and keeps the plan.
 */
export const theseIds = (ids: Ids) => sql`any(${idsApart(ids)}::uuid[])`

/** The same for `unnest`. */
export const idsApart = (ids: Ids) => sql`(select ${ids}::uuid[])`
