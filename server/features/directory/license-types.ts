import { type BusinessType, businessTypes } from '../../../contracts/business-types.ts'

type TypedLicense = { state: string; licenseNumber: string; licenseType: string; businessType: string }

/** Vermont's numbers begin with the kind of license, and its file has them in the column of the type. */
const vermontTypes: Record<string, { licenseType: string; businessType: BusinessType }> = {
  CLTV: { licenseType: 'Cultivator', businessType: 'farm' },
  SCLT: { licenseType: 'Small Cultivator', businessType: 'farm' },
  MANU: { licenseType: 'Manufacturer', businessType: 'other' },
  RTLR: { licenseType: 'Retailer', businessType: 'dispensary' },
  TLAB: { licenseType: 'Testing Laboratory', businessType: 'other' },
  WHSL: { licenseType: 'Wholesaler', businessType: 'other' },
}

/** Types that say plainly what they are, although the files' own mapping calls them "other". A grow among them must count as one. */
const plainTypes: [RegExp, BusinessType][] = [
  [/^craft marijuana cooperative$/i, 'farm'],
  // New Jersey's words for whom a store may sell to.
  [/^(medicinal and recreational|recreational cannabis only)$/i, 'dispensary'],
]

/** Words of a license's type, for files that name no business type. The first that fits decides. */
const words: [RegExp, BusinessType][] = [
  [/cultivat|grow|farm|microbusiness/i, 'farm'],
  [/\blab|testing|manufactur|production|process|transport|distribut|wholesale|research|extract/i, 'other'],
  [/deliver|courier/i, 'delivery'],
  [/hospitality|consumption|lounge|cafe/i, 'food_service'],
  [/retail|dispensar|\bstores?\b|provision/i, 'dispensary'],
]

/** Sets right what a row says of its license's number and type. `isUnknown`: the business type is a word we do not have. */
export function readLicenseType(row: TypedLicense): {
  licenseNumber: string | null
  licenseType: string | null
  businessType: BusinessType
  isUnknown: boolean
} {
  const vermont = row.state === 'VT' && row.licenseNumber === '' ? /^([A-Z]{4})\d{4}$/.exec(row.licenseType) : null
  const vermontType = vermont ? vermontTypes[vermont[1] as string] : undefined
  if (vermontType) return { licenseNumber: row.licenseType, ...vermontType, isUnknown: false }
  const type = row.businessType.toLowerCase().replace(/[\s-]+/g, '_')
  const isKnown = (businessTypes as readonly string[]).includes(type)
  const plain = type === 'other' || !isKnown ? plainTypes.find(([pattern]) => pattern.test(row.licenseType)) : undefined
  const guessed = isKnown ? undefined : words.find(([pattern]) => pattern.test(row.licenseType))
  return {
    licenseNumber: isNumber(row.licenseNumber) ? row.licenseNumber : null,
    licenseType: row.licenseType || null,
    businessType: plain?.[1] ?? (isKnown ? (type as BusinessType) : (guessed?.[1] ?? 'other')),
    isUnknown: type !== '' && !isKnown,
  }
}

/** New Mexico's file has "Premises License" where a number was not copied. */
const isNumber = (text: string) => /\d/.test(text)
