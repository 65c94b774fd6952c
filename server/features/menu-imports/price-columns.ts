import { maxMenuVariants } from '#contracts/limits.ts'
import { guessColumns } from './guess-columns.ts'
import { type FileRow, type MenuFile, MenuFileRefused } from './menu-table.ts'
import { readStock, readWeight } from './read-values.ts'

/** Fewer may be a coincidence, such as a column "Half" for another purpose. */
const minColumns = 2

/** Cells of shops that don't sell a weight. */
const noPrice = /^[-–—$\s]*(?:0+(?:[.,]0+)?|n\/?a|none)?$/i

/**
 * Some exports have one row per product with a price column for each weight: `PRICE_GRAM`, `PRICE_EIGHTH`, `3.5g`. Turns them into one row per
 * weight, with the columns Weight and Price. Rows without such a price keep their own weight and price. All weights of a product share its
 * SKU and stock in these files, so each gets the SKU with its weight, and a stock without a quantity.
 * @throws MenuFileRefused
 */
export function withWeightRows(file: MenuFile): MenuFile {
  const weights = file.header.map(weightOfColumn)
  if (weights.filter((weight) => weight !== null).length < minColumns) return file
  const kept = file.header.flatMap((_, i) => (weights[i] === null ? [i] : []))
  const header = kept.map((i) => file.header[i] ?? '')
  const fields = guessColumns(header)
  const columnOf = (field: 'weight' | 'price', name: string) => {
    const at = fields.indexOf(field)
    return at === -1 ? header.push(name) - 1 : at
  }
  const [weightAt, priceAt] = [columnOf('weight', 'Weight'), columnOf('price', 'Price')]
  const [skuAt, stockAt] = [fields.indexOf('sku'), fields.indexOf('stock')]

  const rowsOf = (row: FileRow): FileRow[] => {
    const cells = header.map((_, i) => row.cells[kept[i] ?? -1] ?? '')
    const sizes = weights.flatMap((weight, i) => {
      const price = row.cells[i] ?? ''
      return weight === null || noPrice.test(price) ? [] : [{ weight, price }]
    })
    if (sizes.length === 0) return [{ ...row, cells }]
    return sizes.map(({ weight, price }) => {
      const own = new Map([
        [weightAt, weight],
        [priceAt, price],
      ])
      if (cells[skuAt]) own.set(skuAt, `${cells[skuAt]}-${weight.replace(' ', '')}`)
      if (cells[stockAt]) own.set(stockAt, withoutQuantity(cells[stockAt]))
      return { ...row, cells: cells.map((cell, i) => own.get(i) ?? cell) }
    })
  }

  const rows = file.rows.flatMap(rowsOf)
  if (rows.length > maxMenuVariants) throw new MenuFileRefused(`A menu file can have up to ${maxMenuVariants} prices.`)
  return { header, rows }
}

/** "PRICE_EIGHTH", "Price (1/8 oz)", "3.5g" → the weight, as `readWeight` reads it. */
function weightOfColumn(name: string): string | null {
  const words = name
    .toLowerCase()
    .replace(/[_()$:]/g, ' ')
    .replace(/\b(?:price|per)\b/g, ' ')
    .trim()
    .replace(/\s+/g, ' ')
  const word = words.replace(/^(?:1 )?(half|quarter|eighth) ?(?:oz|ounce)$/, '$1').replace(/^(?:1 )?(?:oz|ounce)$/, 'ounce')
  const found = readWeight(word === 'g' ? 'gram' : word)
  if ('error' in found || found.value.amount === null) return null
  const { amount, unit } = found.value
  return unit === 'g' ? `${amount} g` : null
}

function withoutQuantity(stock: string): string {
  const found = readStock(stock)
  return 'error' in found ? stock : found.value.isAvailable ? 'In stock' : 'Out of stock'
}
