import type { DB } from './connect.ts'

declare const lockedRow: unique symbol

/** The ID of a row in this table that the transaction has locked. Only functions that lock rows create one. */
export type Locked<Table extends keyof DB> = string & { readonly [lockedRow]: Table }

/** Call right after locking the row with this ID. `tests/architecture.test.ts` lists the modules that may call it. */
export const asLocked = <Table extends keyof DB>(_table: Table, id: string) => id as Locked<Table>
