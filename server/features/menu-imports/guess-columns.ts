import { type MenuField, menuFieldKeys } from '#contracts/menu-fields.ts'
import { storedFields } from '#server/features/menus/index.ts'

/** A column's name as `storedFields` lists them. */
export const bareName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/%/g, 'percent')
    .replace(/[^a-z0-9]/g, '')

/** The field guessed for each column; no field is used twice. */
export function guessColumns(header: readonly string[]): (MenuField | null)[] {
  const names = header.map(bareName)
  const guesses: (MenuField | null)[] = header.map(() => null)
  for (const field of menuFieldKeys) {
    for (const name of storedFields[field].fileNames) {
      const index = names.findIndex((column, i) => guesses[i] === null && column === name)
      if (index === -1) continue
      guesses[index] = field
      break
    }
  }
  return guesses
}

/** How many columns of a header row can be guessed. 0 if none of them identifies items, so other rows rarely pass for one. */
export function guessedCount(cells: readonly string[]): number {
  const fields = guessColumns(cells).filter((field) => field !== null)
  return fields.includes('name') || fields.includes('sku') ? fields.length : 0
}
