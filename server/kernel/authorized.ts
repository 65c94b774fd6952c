import type { DB } from '#server/db/connect.ts'

declare const authorizedRow: unique symbol

/** The ID of a row in this table that the actor may see. Only access checks create one. */
export type Authorized<Table extends keyof DB> = string & { readonly [authorizedRow]: Table }

/** Call right after checking access to the row with this ID. `tests/architecture.test.ts` lists the modules that may call it. */
export const asAuthorized = <Table extends keyof DB>(_table: Table, id: string) => id as Authorized<Table>
