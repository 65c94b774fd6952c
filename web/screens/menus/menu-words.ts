import type { MenuFileField, MenuImport } from '#contracts/menu-imports.endpoints.ts'
import type { MenuRoom, MenuSettings } from '#contracts/menus.ts'
import { formatCents } from '#contracts/money.rules.ts'
import type * as z from '#contracts/zod.ts'
import { fieldWords, fileFieldName } from '#web/entities/menus/menu-fields.ts'
import { counted, formatNumber, formatPrice } from '#web/lib/format.ts'

type Room = z.infer<typeof MenuRoom>

/** "4 of 5 items", or "120 items" without a limit. */
export const roomWords = ({ itemCount, itemLimit }: Room): string =>
  itemLimit === null ? counted(itemCount, 'item') : `${formatNumber(itemCount)} of ${counted(itemLimit, 'item')}`

export const roomLeft = ({ itemCount, itemLimit }: Room): number =>
  itemLimit === null ? Number.POSITIVE_INFINITY : Math.max(0, itemLimit - itemCount)

const typed = 3500

export function priceExample({ currency, taxRate, pricesIncludeTax }: MenuSettings): string {
  const shown = pricesIncludeTax || taxRate === null ? typed : Math.round(typed * (1 + taxRate / 100))
  const tax = pricesIncludeTax || taxRate !== null ? 'incl. tax' : '+ tax'
  return `If you type 35.00, shoppers see ${formatPrice(formatCents(shown), currency)} ${tax}.`
}

export type ImportStep = 1 | 2 | 3

export const stepOf = (status: MenuImport['status']): ImportStep => (status === 'receiving' ? 1 : status === 'ready' ? 2 : 3)

export function matchedWords(fields: readonly (MenuFileField | null)[]): string {
  const matched = fields.filter((field) => field !== null).length
  return matched === fields.length
    ? 'We matched your columns.'
    : `We matched ${formatNumber(matched)} of ${counted(fields.length, 'column')}.`
}

/** A mapping must have a name and a price, and each field in at most one column. Null if valid. */
export function mappingProblem(fields: readonly (MenuFileField | null)[]): string | null {
  const chosen = fields.filter((field) => field !== null)
  const twice = chosen.find((field, index) => chosen.indexOf(field) !== index)
  if (twice) return `Two columns are set to ${fileFieldName(twice)}. Skip one of them.`
  const missing = (['name', 'price'] as const).filter((field) => !chosen.includes(field)).map((field) => fieldWords[field].name)
  return missing.length > 0 ? `Choose the ${missing.join(' and ')} ${missing.length === 1 ? 'column' : 'columns'} to continue.` : null
}

const items = (count: number) => counted(count, 'item')
const rows = (count: number) => counted(count, 'row')

export function importWords(
  entry: Pick<
    MenuImport,
    | 'status'
    | 'itemsAdded'
    | 'itemsChanged'
    | 'itemsConfirmed'
    | 'itemsMissing'
    | 'itemsRemoved'
    | 'rowsRefused'
    | 'rowsDone'
    | 'rowsTotal'
    | 'error'
    | 'kind'
  >,
): string {
  switch (entry.status) {
    case 'receiving':
      return 'The file wasn’t fully uploaded'
    case 'ready':
      return `${rows(entry.rowsTotal)}, not started`
    case 'running':
      return `${formatNumber(entry.rowsDone)} of ${rows(entry.rowsTotal)}`
    case 'failed':
      return entry.error ?? 'Nothing was changed'
    case 'undone':
      return 'Undone: the menu was restored'
    case 'done': {
      if (entry.kind === 'removal') return `${items(entry.itemsRemoved)} removed`
      const parts = [`${items(entry.itemsAdded)} added`, `${items(entry.itemsChanged)} changed`]
      const others = [
        ...(entry.itemsConfirmed > 0 ? [`${items(entry.itemsConfirmed)} confirmed`] : []),
        ...(entry.itemsMissing > 0 ? [`${items(entry.itemsMissing)} out of stock`] : []),
        ...(entry.itemsRemoved > 0 ? [`${items(entry.itemsRemoved)} removed`] : []),
      ]
      const of = entry.kind === 'file' ? `${rows(entry.rowsRefused)} skipped` : `${items(entry.rowsRefused)} rejected`
      return [...parts, ...others, ...(entry.rowsRefused > 0 ? [of] : [])].join(', ')
    }
  }
}

type Outlook = Pick<
  MenuImport,
  | 'itemsAdded'
  | 'itemsChanged'
  | 'itemsConfirmed'
  | 'itemsMissing'
  | 'itemsRemoved'
  | 'rowsInactive'
  | 'rowsElsewhere'
  | 'rowsRefused'
  | 'rowsFlagged'
>

/** Returns a line for each kind of change that an import will make. */
export function outlookWords(entry: Outlook): string[] {
  const line = (count: number, one: string, several: string) =>
    count === 0 ? [] : [`${formatNumber(count)} ${count === 1 ? one : several}`]
  return [
    ...line(entry.itemsAdded, 'item is new', 'items are new'),
    ...line(entry.itemsChanged, 'item changes', 'items change'),
    ...line(entry.itemsConfirmed, 'item is unchanged and now confirmed', 'items are unchanged and now confirmed'),
    ...line(entry.itemsMissing, 'item goes out of stock', 'items go out of stock'),
    ...line(entry.itemsRemoved, 'item is removed', 'items are removed'),
    ...line(entry.rowsElsewhere, 'row is for another shop', 'rows are for other shops'),
    ...line(entry.rowsInactive, 'row isn’t published by your point of sale', 'rows aren’t published by your point of sale'),
    ...line(entry.rowsRefused, 'row can’t be imported', 'rows can’t be imported'),
    ...line(entry.rowsFlagged, 'row to check', 'rows to check'),
  ]
}
