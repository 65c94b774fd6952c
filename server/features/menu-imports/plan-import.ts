import type { MenuFileField } from '../../../contracts/menu-imports.ts'
import { newId } from '../../kernel/ids.ts'
import { checkTogether, emptyRow, type ItemRow, itemColumns, itemWords, type StoredItem } from '../menus/index.ts'
import type { WordCheck } from '../screening/index.ts'
import type { CellError, ReadRow } from './read-row.ts'

/** What becomes of a row: of an item that it adds or changes, `item` is what will be stored. */
export type Placed =
  | { effect: 'add' | 'change'; item: ItemRow; errors: [] }
  | { effect: 'same'; item: StoredItem; errors: [] }
  | { effect: 'refused'; item: null; errors: CellError[] }

/**
 * Finds the item that each row of a file is about: the one with the same SKU, or else the first with the same name, and the same
 * brand and weight where the file has them. What was found is not found again, so that a menu may have two items of one name.
 */
export function createPlan(
  menu: readonly StoredItem[],
  fields: readonly (MenuFileField | null)[],
  refusedIn: WordCheck,
): (row: ReadRow) => Placed {
  const has = (field: MenuFileField) => fields.includes(field)
  /** Where the items lie that a row without a known SKU can mean: `unit` undefined where the row says none. */
  const shelfOf = ({ name, brand, weight }: Pick<ItemRow, 'name' | 'brand' | 'weight'>, unit: ItemRow['weight_unit'] | undefined) =>
    JSON.stringify([
      name.toLowerCase(),
      has('brand') ? (brand ?? '').toLowerCase() : 0,
      has('weight') ? weight : 0,
      unit === undefined ? 0 : unit,
    ])
  const bySku = new Map(menu.flatMap((item) => (item.sku === null ? [] : [[item.sku, item] as const])))
  const shelves = new Map<string, { items: StoredItem[]; next: number }>()
  for (const item of menu) {
    // Where the file has SKUs, an item with another one is another item, whatever it is called.
    if (has('sku') && item.sku !== null) continue
    for (const key of [shelfOf(item, item.weight_unit), shelfOf(item, undefined)]) {
      const shelf = shelves.get(key)
      if (shelf) shelf.items.push(item)
      else shelves.set(key, { items: [item], next: 0 })
    }
  }
  /** The row that each item, SKU and new name was found in. */
  const rowOfItem = new Map<string, number>()
  const rowOfSku = new Map<string, number>()
  const rowOfNew = new Map<string, number>()

  const find = (change: Partial<ItemRow>): { item: StoredItem | null; key: string | null } => {
    const ofSku = change.sku ? bySku.get(change.sku) : undefined
    if (ofSku) return { item: ofSku, key: null }
    if (change.name === undefined) return { item: null, key: null }
    const key = shelfOf({ name: change.name, brand: change.brand ?? null, weight: change.weight ?? null }, change.weight_unit)
    const shelf = shelves.get(key)
    if (!shelf) return { item: null, key }
    while (shelf.next < shelf.items.length - 1 && rowOfItem.has((shelf.items[shelf.next] as StoredItem).id)) shelf.next++
    // Once all of them were found, the row repeats the last one.
    return { item: shelf.items[shelf.next] as StoredItem, key }
  }

  return (row) => {
    const { change, errors } = row
    if (errors.length > 0) return refused(errors)
    const { item: before, key } = find(change)
    const repeated = repeatedRow(change, before, key)
    if (repeated) return refused([repeated])
    const item = before ? { ...before, ...change } : { ...emptyRow(newId()), ...withGuessedUnit(change) }
    const issues = { ...checkTogether(item), ...refusedIn(itemWords(item), before ? Object.values(itemWords(before)) : []) }
    const wrong = Object.entries(issues).map(([field, message]) => ({ field: field as MenuFileField, message }))
    if (!before && change.name === undefined) wrong.push({ field: 'name', message: 'Name is required' })
    if (!before && change.price_cents === undefined) wrong.push({ field: 'price', message: 'Price is required' })
    if (wrong.length > 0) return refused(wrong)

    if (change.sku) rowOfSku.set(change.sku, row.row)
    if (before) rowOfItem.set(before.id, row.row)
    else if (key !== null && !change.sku) rowOfNew.set(key, row.row)
    if (!before) return { effect: 'add', item, errors: [] }
    const isSame = itemColumns.every((column) => item[column] === before[column])
    return isSame ? { effect: 'same', item: before, errors: [] } : { effect: 'change', item, errors: [] }
  }

  function repeatedRow(change: Partial<ItemRow>, before: StoredItem | null, key: string | null): CellError | null {
    const ofSku = change.sku ? rowOfSku.get(change.sku) : undefined
    if (ofSku !== undefined) return { field: 'sku', message: `Row ${ofSku} has the same SKU` }
    const earlier = before ? rowOfItem.get(before.id) : key !== null && !change.sku ? rowOfNew.get(key) : undefined
    return earlier === undefined ? null : { field: null, message: `Row ${earlier} is the same item` }
  }
}

const refused = (errors: CellError[]): Placed => ({ effect: 'refused', item: null, errors })

const smoked = new Set<ItemRow['category']>(['Flower', 'Pre-Rolls', 'Vapes', 'Concentrates'])

/** A number without a unit: of the whole for what is smoked, milligrams for what is eaten. */
function withGuessedUnit(change: Partial<ItemRow>): Partial<ItemRow> {
  if (change.potency_unit !== undefined || (change.thc ?? change.cbd ?? null) === null) return change
  const isPercent = smoked.has(change.category ?? null) && Math.max(change.thc ?? 0, change.cbd ?? 0) <= 100
  return { ...change, potency_unit: isPercent ? 'percent' : 'mg' }
}
