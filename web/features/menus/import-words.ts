import type { MenuFileField, MenuImport } from '../../../contracts/menu-imports.ts'
import { counted } from '../../lib/counted.ts'
import { formatNumber } from '../../lib/format.ts'

export const fieldNames: Record<MenuFileField, string> = {
  sku: 'SKU',
  name: 'Name',
  category: 'Category',
  strain: 'Strain',
  brand: 'Brand',
  price: 'Price',
  memberPrice: 'Members’ price',
  description: 'Description',
  thc: 'THC',
  cbd: 'CBD',
  potencyUnit: 'Potency in',
  weight: 'Weight or count',
  weightUnit: 'Unit',
  batch: 'Batch',
  isAvailable: 'Stock',
}

export type ImportStep = 1 | 2 | 3

/** Which of the three steps an import is in: file, columns, result. */
export const stepOf = (status: MenuImport['status']): ImportStep => (status === 'receiving' ? 1 : status === 'ready' ? 2 : 3)

/** What keeps a mapping from being used: an item needs a name and a price, and a field has one column. Null when nothing does. */
export function mappingProblem(fields: readonly (MenuFileField | null)[]): string | null {
  const chosen = fields.filter((field) => field !== null)
  const twice = chosen.find((field, index) => chosen.indexOf(field) !== index)
  if (twice) return `Two columns are taken for ${fieldNames[twice]}. Leave one of them out.`
  const missing = (['name', 'price'] as const).filter((field) => !chosen.includes(field)).map((field) => fieldNames[field])
  return missing.length > 0 ? `Say which column is the ${missing.join(' and which is the ')}.` : null
}

const items = (count: number) => counted(count, 'item')
const rows = (count: number) => counted(count, 'row')

/** What an import has come to, in one sentence. */
export function importWords(
  entry: Pick<MenuImport, 'status' | 'itemsAdded' | 'itemsChanged' | 'rowsRefused' | 'rowsDone' | 'rowsTotal' | 'error'>,
): string {
  switch (entry.status) {
    case 'receiving':
      return 'The file has not arrived whole'
    case 'ready':
      return `${rows(entry.rowsTotal)}, not started`
    case 'running':
      return `${formatNumber(entry.rowsDone)} of ${rows(entry.rowsTotal)}`
    case 'failed':
      return entry.error ?? 'Nothing was changed'
    case 'undone':
      return 'Undone: the menu is as it was before'
    case 'done': {
      const parts = [`${items(entry.itemsAdded)} added`, `${items(entry.itemsChanged)} changed`]
      return [...parts, ...(entry.rowsRefused > 0 ? [`${rows(entry.rowsRefused)} left out`] : [])].join(', ')
    }
  }
}
