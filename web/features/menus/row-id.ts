import { newRowId } from './menu-edits.ts'

/** For a row that is not saved yet. By hand: crypto.randomUUID exists on secure origins only. */
export const makeRowId = (): string =>
  newRowId(Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join(''))
