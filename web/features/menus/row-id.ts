import { randomKey } from '../../lib/random-key.ts'
import { newRowId } from './menu-edits.ts'

/** For a row that is not saved yet. */
export const makeRowId = (): string => newRowId(randomKey(12))
