import type * as z from 'zod/mini'
import { type ItemField, type MenuField, menuFields, type VariantField } from '#contracts/menu-fields.ts'
import { formatCents, parseCents } from '#contracts/money.rules.ts'
import type { DB } from '#server/db/connect.ts'

type Description<Column> = {
  column: Column
  /** Whether the content filter reads this field. */
  isScreened: boolean
  /** Column name in an exported file. */
  fileName: string
  /**
   * Column names in exports of Dutchie, Treez, Flowhub, Cova, BLAZE, Meadow, Weedmaps, Kushy and this site, including older ones, likeliest
   * first. Spaces, punctuation and case are ignored.
   */
  fileNames: readonly string[]
}

/** Where a menu's fields are stored, in `products` or `product_variants`, and what their columns in files are called. */
export const storedFields = {
  sku: {
    column: 'sku',
    isScreened: false,
    fileName: 'SKU',
    fileNames: [
      'sku',
      'productsku',
      'variantsku',
      'itemnumber',
      'productnumber',
      'itemcode',
      'productcode',
      'externalid',
      'externalproductid',
      'variantid',
      'productid',
      'itemid',
      'barcode',
      'upc',
    ],
  },
  name: {
    column: 'name',
    isScreened: true,
    fileName: 'Name',
    fileNames: [
      'name',
      'productname',
      'prodname',
      'itemname',
      'product',
      'item',
      'title',
      'menutitle',
      'onlinename',
      'description1',
      'description',
    ],
  },
  category: {
    column: 'category',
    isScreened: false,
    fileName: 'Category',
    fileNames: [
      'category',
      'mastercategory',
      'productcategory',
      'producttype',
      'categoryname',
      'classification',
      'type',
      'department',
      'class',
      'cat',
      'dept',
    ],
  },
  subcategory: {
    column: 'subcategory',
    isScreened: true,
    fileName: 'Subcategory',
    fileNames: [
      'subcategory',
      'productsubcategory',
      'subtype',
      'productsubtype',
      'producttypesubcategory',
      'subclassification',
      'subclass',
    ],
  },
  strain: { column: 'strain', isScreened: true, fileName: 'Strain', fileNames: ['strain', 'strainname', 'cultivar', 'genetics'] },
  strainType: {
    column: 'strain_type',
    isScreened: false,
    fileName: 'Strain type',
    fileNames: ['straintype', 'species', 'prevalence', 'dominance', 'straindominance', 'strainprevalence', 'flowertype'],
  },
  brand: {
    column: 'brand',
    isScreened: true,
    fileName: 'Brand',
    fileNames: ['brand', 'brandname', 'vendor', 'producer', 'manufacturer', 'supplier', 'grower', 'farm'],
  },
  weight: {
    column: 'weight',
    isScreened: false,
    fileName: 'Weight',
    fileNames: [
      'weight',
      'netweight',
      'weightperunit',
      'size',
      'unitsize',
      'amountsize',
      'packagesize',
      'packageweight',
      'unitweight',
      'productweight',
      'option',
      'options',
      'variant',
      'grams',
      'netwt',
      'wt',
    ],
  },
  weightUnit: {
    column: 'weight_unit',
    isScreened: false,
    fileName: 'Weight unit',
    fileNames: ['weightunit', 'unit', 'uom', 'unitofmeasure', 'sizeunit', 'unitofweight', 'units'],
  },
  price: {
    column: 'price_cents',
    isScreened: false,
    fileName: 'Price',
    fileNames: [
      'price',
      'regularprice',
      'unitprice',
      'retailprice',
      'retail',
      'priceperunit',
      'recprice',
      'pricerec',
      'recreationalprice',
      'adultuseprice',
      'priceincltax',
      'priceeach',
      'eachprice',
      'sellprice',
      'listprice',
      'currentprice',
      'baseprice',
      'pricetier',
      'msrp',
      'medprice',
      'pricemed',
      'medicalprice',
      'amount',
    ],
  },
  salePrice: {
    column: 'sale_price_cents',
    isScreened: false,
    fileName: 'Sale price',
    fileNames: [
      'saleprice',
      'specialprice',
      'discountedprice',
      'discountprice',
      'promoprice',
      'promotionalprice',
      'promo',
      'salesprice',
      'sale',
      'special',
      'dealprice',
    ],
  },
  saleStarts: {
    column: 'sale_starts_on',
    isScreened: false,
    fileName: 'Sale starts',
    fileNames: [
      'salestarts',
      'salestart',
      'salestartdate',
      'salefrom',
      'specialstart',
      'specialstartdate',
      'specialpricefrom',
      'discountstart',
      'discountstartdate',
      'promostart',
      'promostartdate',
      'promotionstartdate',
    ],
  },
  saleEnds: {
    column: 'sale_ends_on',
    isScreened: false,
    fileName: 'Sale ends',
    fileNames: [
      'saleends',
      'saleend',
      'saleenddate',
      'saleuntil',
      'saleto',
      'specialend',
      'specialenddate',
      'specialpriceto',
      'discountend',
      'discountenddate',
      'promoend',
      'promoenddate',
      'promotionenddate',
    ],
  },
  memberPrice: {
    column: 'member_price_cents',
    isScreened: false,
    fileName: 'Subscriber price',
    fileNames: ['subscriberprice', 'memberprice', 'membersprice', 'members', 'member', 'loyaltyprice', 'loyalty'],
  },
  stock: {
    column: 'stock',
    isScreened: false,
    fileName: 'Stock',
    fileNames: [
      'stock',
      'stockonhand',
      'quantityonhand',
      'qtyonhand',
      'qoh',
      'onhand',
      'quantityavailable',
      'availablequantity',
      'availableqty',
      'qtyavailable',
      'sellablequantity',
      'instockqty',
      'instockquantity',
      'quantity',
      'qty',
      'inventory',
      'inventoryquantity',
    ],
  },
  isAvailable: {
    column: 'is_available',
    isScreened: false,
    fileName: 'Available',
    fileNames: ['available', 'isavailable', 'availability', 'instock', 'stockstatus', 'status'],
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
    fileNames: [
      'totalthc',
      'thctotal',
      'thc',
      'thcpercent',
      'thcpercentage',
      'thccontent',
      'thcmin',
      'minthc',
      'thcpotency',
      'potency',
      'thcmg',
      'potencythc',
      'thca',
    ],
  },
  thcMax: { column: 'thc_max', isScreened: false, fileName: 'THC max', fileNames: ['thcmax', 'maxthc', 'thcmaximum', 'thchigh'] },
  thcUnit: {
    column: 'thc_unit',
    isScreened: false,
    fileName: 'THC unit',
    // Older exports from this site have one unit for THC and CBD: see `readRow`.
    fileNames: ['thcunit', 'potencyunit', 'cannabinoidunit', 'potencyunits', 'unitofpotency'],
  },
  cbd: {
    column: 'cbd',
    isScreened: false,
    fileName: 'CBD',
    fileNames: [
      'totalcbd',
      'cbdtotal',
      'cbd',
      'cbdpercent',
      'cbdpercentage',
      'cbdcontent',
      'cbdmin',
      'mincbd',
      'cbdpotency',
      'cbdmg',
      'potencycbd',
      'cbda',
    ],
  },
  cbdMax: { column: 'cbd_max', isScreened: false, fileName: 'CBD max', fileNames: ['cbdmax', 'maxcbd', 'cbdmaximum', 'cbdhigh'] },
  cbdUnit: { column: 'cbd_unit', isScreened: false, fileName: 'CBD unit', fileNames: ['cbdunit'] },
  batch: {
    column: 'batch',
    isScreened: true,
    fileName: 'Batch',
    fileNames: [
      'batch',
      'batchnumber',
      'batchid',
      'lot',
      'lotnumber',
      'batchname',
      'harvestbatch',
      'packageid',
      'packagelabel',
      'metrctag',
      'metrcpackage',
      'packagetag',
    ],
  },
} as const satisfies Record<ItemField, Description<keyof DB['products']>> & Record<VariantField, Description<keyof DB['product_variants']>>

type StoredFields = typeof storedFields
export type FieldColumn = StoredFields[MenuField]['column']
type Stored = Partial<Record<FieldColumn, unknown>>

export const sqlTypes = { text: 'text', choice: 'text', price: 'integer', number: 'float8', date: 'date', switch: 'boolean' } as const

export const columnsOf = <Key extends MenuField>(keys: readonly Key[]) =>
  keys.map((key): StoredFields[Key]['column'] => storedFields[key].column)

type ValuesOf<Key extends MenuField> = { [K in Key]: z.output<(typeof menuFields)[K]['value']> }

export const valuesOf = <Key extends MenuField>(row: Record<StoredFields[Key]['column'], unknown>, keys: readonly Key[]): ValuesOf<Key> =>
  Object.fromEntries(
    keys.map((key) => {
      const value = (row as Stored)[storedFields[key].column]
      return [key, menuFields[key].kind === 'price' && value !== null ? formatCents(value as number) : value]
    }),
  ) as ValuesOf<Key>

/** An editor's value as its column stores it. Empty text becomes null. */
export function toColumn(key: MenuField, value: string | number | boolean | null): { [Column in FieldColumn]?: unknown } {
  const { kind } = menuFields[key]
  const stored = kind === 'price' && value !== null ? parseCents(value as string) : kind === 'text' ? value || null : value
  return { [storedFields[key].column]: stored }
}
