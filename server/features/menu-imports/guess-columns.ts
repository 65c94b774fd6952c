import { type MenuFileField, menuFileFields } from '../../../contracts/menu-imports.ts'

/**
 * What the exports of Dutchie, Weedmaps, Treez, Flowhub, Kushy and our own call their columns, the likeliest first. Compared without
 * spaces, signs and case.
 */
const names: Readonly<Record<MenuFileField, readonly string[]>> = {
  sku: ['sku', 'productsku', 'variantsku', 'externalid', 'externalproductid', 'productid', 'itemid', 'barcode', 'upc', 'packageid'],
  name: ['name', 'productname', 'itemname', 'product', 'item', 'title', 'menutitle', 'onlinename', 'description1'],
  category: ['category', 'mastercategory', 'productcategory', 'producttype', 'categoryname', 'type', 'department', 'class'],
  strain: ['strain', 'strainname', 'cultivar', 'genetics'],
  brand: ['brand', 'brandname', 'vendor', 'producer', 'manufacturer', 'supplier', 'grower', 'farm'],
  price: [
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
  memberPrice: [
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
  description: ['description', 'productdescription', 'longdescription', 'details', 'body', 'notes'],
  thc: ['thc', 'thcpercent', 'thcpercentage', 'thccontent', 'totalthc', 'thcpotency', 'thcmg', 'potencythc', 'thca'],
  cbd: ['cbd', 'cbdpercent', 'cbdpercentage', 'cbdcontent', 'totalcbd', 'cbdpotency', 'cbdmg', 'potencycbd', 'cbda'],
  potencyUnit: ['potencyunit', 'thcunit', 'cannabinoidunit', 'potencyunits', 'unitofpotency'],
  weight: [
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
  weightUnit: ['weightunit', 'unit', 'uom', 'unitofmeasure', 'sizeunit', 'unitofweight', 'units'],
  batch: ['batch', 'batchnumber', 'batchid', 'lot', 'lotnumber', 'batchname', 'harvestbatch'],
  isAvailable: [
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
}

const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(/%/g, 'percent')
    .replace(/[^a-z0-9]/g, '')

/** What each column is taken for; none for two. */
export function guessColumns(header: readonly string[]): (MenuFileField | null)[] {
  const guesses: (MenuFileField | null)[] = header.map(() => null)
  for (const field of menuFileFields) {
    for (const name of names[field]) {
      const index = header.findIndex((column, i) => guesses[i] === null && bare(column) === name)
      if (index === -1) continue
      guesses[index] = field
      break
    }
  }
  return guesses
}
