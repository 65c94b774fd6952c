import type * as z from 'zod/mini'
import { type MenuField, menuFields } from '#contracts/menu-fields.ts'
import { formatCents, parseCents } from '#contracts/money.rules.ts'
import type { DB } from '#server/db/connect.ts'

type Description = {
  column: keyof DB['products']
  /** The content filter reads it. */
  isScreened: boolean
  /** Column name in an exported file. */
  fileName: string
  /**
   * Column names in exports of Dutchie, Weedmaps, Treez, Flowhub, Kushy and our own, likeliest first. Compared without spaces, punctuation
   * and case.
   */
  fileNames: readonly string[]
}

/** Where a menu's fields are stored, and what their columns in files are called. */
export const storedFields = {
  sku: {
    column: 'sku',
    isScreened: false,
    fileName: 'SKU',
    fileNames: ['sku', 'productsku', 'variantsku', 'externalid', 'externalproductid', 'productid', 'itemid', 'barcode', 'upc', 'packageid'],
  },
  name: {
    column: 'name',
    isScreened: true,
    fileName: 'Name',
    fileNames: ['name', 'productname', 'itemname', 'product', 'item', 'title', 'menutitle', 'onlinename', 'description1'],
  },
  category: {
    column: 'category',
    isScreened: false,
    fileName: 'Category',
    fileNames: ['category', 'mastercategory', 'productcategory', 'producttype', 'categoryname', 'type', 'department', 'class'],
  },
  strain: { column: 'strain', isScreened: true, fileName: 'Strain', fileNames: ['strain', 'strainname', 'cultivar', 'genetics'] },
  brand: {
    column: 'brand',
    isScreened: true,
    fileName: 'Brand',
    fileNames: ['brand', 'brandname', 'vendor', 'producer', 'manufacturer', 'supplier', 'grower', 'farm'],
  },
  price: {
    column: 'price_cents',
    isScreened: false,
    fileName: 'Price',
    fileNames: [
      'price',
      'unitprice',
      'retailprice',
      'priceperunit',
      'recprice',
      'recreationalprice',
      'sellprice',
      'baseprice',
      'pricetier',
      'msrp',
      'amount',
    ],
  },
  memberPrice: {
    column: 'member_price_cents',
    isScreened: false,
    fileName: 'Member price',
    fileNames: [
      'memberprice',
      'membersprice',
      'members',
      'specialprice',
      'loyaltyprice',
      'saleprice',
      'medprice',
      'medicalprice',
      'discountprice',
    ],
  },
  description: {
    column: 'description',
    isScreened: true,
    fileName: 'Description',
    fileNames: ['description', 'productdescription', 'longdescription', 'details', 'body', 'notes'],
  },
  thc: {
    column: 'thc',
    isScreened: false,
    fileName: 'THC',
    fileNames: ['thc', 'thcpercent', 'thcpercentage', 'thccontent', 'totalthc', 'thcpotency', 'thcmg', 'potencythc', 'thca'],
  },
  cbd: {
    column: 'cbd',
    isScreened: false,
    fileName: 'CBD',
    fileNames: ['cbd', 'cbdpercent', 'cbdpercentage', 'cbdcontent', 'totalcbd', 'cbdpotency', 'cbdmg', 'potencycbd', 'cbda'],
  },
  potencyUnit: {
    column: 'potency_unit',
    isScreened: false,
    fileName: 'Potency unit',
    fileNames: ['potencyunit', 'thcunit', 'cannabinoidunit', 'potencyunits', 'unitofpotency'],
  },
  weight: {
    column: 'weight',
    isScreened: false,
    fileName: 'Weight',
    fileNames: [
      'weight',
      'netweight',
      'size',
      'amountsize',
      'packagesize',
      'unitweight',
      'productweight',
      'option',
      'variant',
      'grams',
      'netwt',
    ],
  },
  weightUnit: {
    column: 'weight_unit',
    isScreened: false,
    fileName: 'Weight unit',
    fileNames: ['weightunit', 'unit', 'uom', 'unitofmeasure', 'sizeunit', 'unitofweight', 'units'],
  },
  batch: {
    column: 'batch',
    isScreened: true,
    fileName: 'Batch',
    fileNames: ['batch', 'batchnumber', 'batchid', 'lot', 'lotnumber', 'batchname', 'harvestbatch'],
  },
  isAvailable: {
    column: 'is_available',
    isScreened: false,
    fileName: 'Available',
    fileNames: [
      'available',
      'isavailable',
      'availability',
      'instock',
      'stock',
      'quantity',
      'qty',
      'quantityavailable',
      'onhand',
      'inventory',
      'active',
      'published',
      'status',
    ],
  },
} as const satisfies Record<MenuField, Description>

type StoredFields = typeof storedFields
export type FieldColumn = StoredFields[MenuField]['column']
type Stored = Partial<Record<FieldColumn, unknown>>

/** PostgreSQL's type by kind of field. */
export const sqlTypes = { text: 'text', choice: 'text', price: 'integer', number: 'float8', switch: 'boolean' } as const

export const columnsOf = <Key extends MenuField>(keys: readonly Key[]) =>
  keys.map((key): StoredFields[Key]['column'] => storedFields[key].column)

type ValuesOf<Key extends MenuField> = { [K in Key]: z.output<(typeof menuFields)[K]['value']> }

/** Fields of a row as responses contain them. */
export const valuesOf = <Key extends MenuField>(row: Record<StoredFields[Key]['column'], unknown>, keys: readonly Key[]): ValuesOf<Key> =>
  Object.fromEntries(
    keys.map((key) => {
      const value = (row as Stored)[storedFields[key].column]
      return [key, menuFields[key].kind === 'price' && value !== null ? formatCents(value as number) : value]
    }),
  ) as ValuesOf<Key>

/** A field's value from the editor as its column stores it. Empty text is none. */
export function toColumn(key: MenuField, value: string | number | boolean | null): { [Column in FieldColumn]?: unknown } {
  const { kind } = menuFields[key]
  const stored = kind === 'price' && value !== null ? parseCents(value as string) : kind === 'text' ? value || null : value
  return { [storedFields[key].column]: stored }
}
