import fc from 'fast-check'
import { expect, it } from 'vitest'
import { guessColumns } from './guess-columns.ts'
import { planFile } from './plan-file.ts'
import { readMenuFile } from './read-menu-file.ts'

type Size = { grams: number; cents: number; sale: number | null; stock: number }
type Product = {
  name: string
  brand: string
  category: 'Flower' | 'Pre-Rolls' | 'Vapes' | 'Concentrates'
  strainType: 'indica' | 'sativa' | 'hybrid'
  /** Tenths of a percent. */
  thc: number
  thcMax: number
  batch: string
  sizes: Size[]
}
type Write = { money(cents: number): string; number(value: number): string }
type Row = Record<string, string>
type Style = {
  rowsOf(product: Product, at: number, write: Write): Row[]
  lacks?: readonly ('sale' | 'stock' | 'range')[]
}

const ounces: Readonly<Record<number, string>> = { 0.5: '0.5g', 1: '1g', 3.5: '1/8 oz', 7: '1/4 oz', 14: '1/2 oz', 28: '1 oz' }
const words: Readonly<Record<number, string>> = { 0.5: 'HALF_GRAM', 1: 'GRAM', 3.5: 'EIGHTH', 7: 'QUARTER', 14: 'HALF', 28: 'OUNCE' }
const tiers: Readonly<Record<number, string>> = {
  0.5: 'PRICE_HALF_GRAM',
  1: 'PRICE_GRAM',
  3.5: 'PRICE_EIGHTH',
  7: 'PRICE_QUARTER',
  14: 'PRICE_HALF',
  28: 'PRICE_OZ',
}
const grams = Object.keys(tiers)
  .map(Number)
  .sort((one, other) => one - other)

const perSize =
  (write: (product: Product, size: Size, at: number, write: Write) => Row): Style['rowsOf'] =>
  (product, at, how) =>
    product.sizes.map((size, i) => write(product, size, at * grams.length + i, how))
const saleOf = ({ sale }: Size, { money }: Write) => (sale === null ? '' : money(sale))

const styles: Readonly<Record<string, Style>> = {
  dutchie: {
    rowsOf: perSize((product, size, at, write) => ({
      SKU: `DT-${at}`,
      'Product Name': product.name,
      Category: product.category,
      Brand: product.brand,
      'Strain Type': product.strainType,
      Size: ounces[size.grams] ?? '',
      Unit: 'Grams',
      'Price (Rec)': `$${write.money(size.cents)}`,
      'Special Price': saleOf(size, write),
      Quantity: String(size.stock),
      THC: `${write.number(product.thc / 10)}-${write.number(product.thcMax / 10)}%`,
      Batch: product.batch,
    })),
  },
  treez: {
    rowsOf: perSize((product, size, at, write) => ({
      'External ID': `TZ${at}`,
      'Product Name': product.name,
      Category: { Flower: 'FLOWER', 'Pre-Rolls': 'PREROLL', Vapes: 'CARTRIDGE', Concentrates: 'EXTRACT' }[product.category],
      Brand: product.brand,
      Classification: product.strainType.toUpperCase(),
      Size: write.number(size.grams),
      UOM: 'GRAMS',
      Retail: write.money(size.cents),
      'Discounted Price': size.sale === null ? write.money(size.cents) : write.money(size.sale),
      'Sellable Quantity': `${size.stock} ea`,
      'THC mg/g': String(product.thc),
      'Lot Number': product.batch,
    })),
    lacks: ['range'],
  },
  flowhub: {
    rowsOf: (product, at, write) => [
      {
        'Item #': String(1000 + at),
        'Item Name': product.name,
        'Master Category': product.category,
        Supplier: product.brand,
        Prevalence: product.strainType.charAt(0).toUpperCase(),
        ...Object.fromEntries(
          grams.map((weight) => {
            const size = product.sizes.find((each) => each.grams === weight)
            return [tiers[weight], size ? write.money(size.cents) : '']
          }),
        ),
        QOH: '12',
        'Total THC': `${write.number(product.thc / 10)}%`,
        'METRC Tag': product.batch,
      },
    ],
    lacks: ['sale', 'stock', 'range'],
  },
  cova: {
    rowsOf: perSize((product, size, _, write) => ({
      Product: product.name,
      Classification: `Cannabis > ${product.category}`,
      Manufacturer: product.brand,
      Species: product.strainType,
      'Net Weight': write.number(size.grams),
      Unit: 'Each',
      priceInclTax: write.money(size.cents),
      'Sale Price': saleOf(size, write),
      'In Stock Qty': String(size.stock),
      'THC Min': `${write.number(product.thc / 10)} %`,
      'THC Max': `${write.number(product.thcMax / 10)} %`,
      Lot: product.batch,
      isActive: 'true',
    })),
  },
  blaze: {
    rowsOf: perSize((product, size, _, write) => ({
      Name: product.name,
      'Product Category': product.category,
      Vendor: product.brand,
      'Flower Type': product.strainType,
      'Weight Per Unit': words[size.grams] ?? '',
      'Unit Price': write.money(size.cents),
      'Sales Price': saleOf(size, write),
      'Quantity Available': String(size.stock),
      Potency: `THC: ${write.number(product.thc / 10)}%`,
      'Batch ID': product.batch,
      Active: 'TRUE',
    })),
    lacks: ['range'],
  },
  meadow: {
    rowsOf: perSize((product, size, _, write) => ({
      Item: product.name,
      'Product Type': product.category,
      Producer: product.brand,
      'Strain Type': product.strainType.charAt(0),
      Option: `${write.number(size.grams)}g`,
      Price: `${write.money(size.cents)} USD`,
      Promo: saleOf(size, write),
      Available: `${size.stock} units`,
      THC: write.number(product.thc / 1000),
      Lot: product.batch,
      Status: 'Published',
    })),
    lacks: ['range'],
  },
}

const plainWrite = (mark: '.' | ','): Write => ({
  money(cents) {
    const [whole = '', part = ''] = (cents / 100).toFixed(2).split('.')
    return `${whole.replace(/(?=(?:\d{3})+$)\B/g, mark === '.' ? ',' : '.')}${mark}${part}`
  },
  number: (value) => String(value).replace('.', mark),
})

const size = (weight: number): fc.Arbitrary<Size> =>
  fc
    .record({
      cents: fc.integer({ min: 200, max: 999_999 }),
      off: fc.option(fc.integer({ min: 1, max: 99 }), { nil: null }),
      stock: fc.nat(900),
    })
    .map(({ cents, off, stock }) => ({ grams: weight, cents, sale: off === null ? null : Math.max(1, cents - off), stock }))
const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(..."abcXYZ é'&,;|-") })
const products: fc.Arbitrary<Product[]> = fc
  .array(
    fc.record({
      word,
      brand: fc.constantFrom('Slow Creek', 'Été Farms', 'Fern & Fog', 'Two "Rivers"'),
      category: fc.constantFrom('Flower' as const, 'Pre-Rolls' as const, 'Vapes' as const, 'Concentrates' as const),
      strainType: fc.constantFrom('indica' as const, 'sativa' as const, 'hybrid' as const),
      thc: fc.integer({ min: 10, max: 500 }),
      spread: fc.integer({ min: 1, max: 200 }),
      batch: fc.constantFrom('L-1', 'B/22', '1A4-0007'),
      sizes: fc.subarray(grams, { minLength: 1 }).chain((weights) => fc.tuple(...weights.map(size))),
    }),
    { minLength: 3, maxLength: 8 },
  )
  .map((all) =>
    all.map(({ word: name, spread, ...each }, i) => ({
      ...each,
      name: `Item ${i} ${name}`.trim().replace(/\s+/g, ' '),
      thcMax: each.thc + spread,
    })),
  )

const shape = fc.record({
  style: fc.constantFrom(...Object.keys(styles)),
  separator: fc.constantFrom(',', ';', '\t', '|'),
  mark: fc.constantFrom('.' as const, ',' as const),
  encoding: fc.constantFrom('utf8' as const, 'utf8 with a mark' as const, 'utf16le' as const, 'cp1252' as const),
  lineEnd: fc.constantFrom('\r\n', '\n'),
  quotesAll: fc.boolean(),
  hasTitle: fc.boolean(),
  order: fc.array(fc.nat(1000), { minLength: 24, maxLength: 24 }),
})

function encode(text: string, encoding: string): Buffer {
  if (encoding === 'utf16le') return Buffer.from(`\uFEFF${text}`, 'utf16le')
  // These words have only characters that are the same in Windows-1252 and Latin-1.
  if (encoding === 'cp1252') return Buffer.from(text, 'latin1')
  return Buffer.from(encoding === 'utf8' ? text : `\uFEFF${text}`)
}

it('reads exports in six styles, whatever the order, separator, encoding, quotes and decimal mark', async () => {
  await fc.assert(
    fc.asyncProperty(products, shape, async (menu, { style: name, separator, mark, encoding, lineEnd, quotesAll, hasTitle, order }) => {
      const style = styles[name] as Style
      const rows = menu.flatMap((product, at) => style.rowsOf(product, at, plainWrite(mark)))
      const header = Object.keys(rows[0] as Row)
        .map((column, i) => [column, order[i] ?? 0] as const)
        .sort((one, other) => one[1] - other[1])
        .map(([column]) => column)
      const quoted = (cell: string) =>
        quotesAll || cell.includes(separator) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell
      const lines = [header, ...rows.map((row) => header.map((column) => row[column] ?? ''))].map((cells) =>
        cells.map(quoted).join(separator),
      )
      const title = hasTitle ? ['Inventory report', ''] : []
      const file = await readMenuFile(encode([...title, ...lines].join(lineEnd), encoding))
      const { added, rows: read } = await planFile(file, guessColumns(file.header, file.rows), [], () => ({}))
      expect(read.flatMap(({ placed }) => placed.errors)).toEqual([])
      const lacks = (what: 'sale' | 'stock' | 'range') => style.lacks?.includes(what)
      expect(
        added.map((item) => ({
          name: item.name,
          brand: item.brand,
          category: item.category,
          strainType: item.strain_type,
          thc: [item.thc, item.thc_max, item.thc_unit],
          sizes: item.variants
            .toSorted((one, other) => (one.weight ?? 0) - (other.weight ?? 0))
            .map((each) => [each.weight, each.weight_unit, each.price_cents, each.sale_price_cents, each.stock, each.batch]),
        })),
      ).toEqual(
        menu.map(({ name: itemName, brand, category, strainType, thc, thcMax, batch, sizes }) => ({
          name: itemName,
          brand,
          category,
          strainType,
          thc: [thc / 10, lacks('range') ? null : thcMax / 10, 'percent'],
          sizes: sizes.map((each) => [
            each.grams,
            'g',
            each.cents,
            lacks('sale') ? null : each.sale,
            lacks('stock') ? null : each.stock,
            batch,
          ]),
        })),
      )
    }),
    { numRuns: 400 },
  )
})
