import { line, Price } from './fields.ts'
import { productCategories, strainTypes, weightUnits } from './menu-fields.rules.ts'
import * as z from './zod.ts'

export const ProductCategory = z.enum(productCategories)
export type ProductCategory = z.infer<typeof ProductCategory>

export const WeightUnit = z.enum(weightUnits)
export type WeightUnit = z.infer<typeof WeightUnit>

/** How businesses write units, in lower case. */
const unitNames: Readonly<Record<string, WeightUnit>> = {
  g: 'g',
  gr: 'g',
  gs: 'g',
  gm: 'g',
  gram: 'g',
  grams: 'g',
  oz: 'oz',
  ounce: 'oz',
  ounces: 'oz',
  floz: 'oz',
  mg: 'mg',
  mgs: 'mg',
  milligram: 'mg',
  milligrams: 'mg',
  ml: 'ml',
  milliliter: 'ml',
  milliliters: 'ml',
  piece: 'piece',
  pieces: 'piece',
  pc: 'piece',
  pcs: 'piece',
  each: 'piece',
  ea: 'piece',
  unit: 'piece',
  units: 'piece',
  ct: 'piece',
  count: 'piece',
  pack: 'piece',
  pk: 'piece',
}

const fluidOunces = /^(fl|fluid)\.?\s*(oz|ounces?)\.?$/

export const isFluidOunces = (text: string): boolean => fluidOunces.test(text.toLowerCase()) || text.toLowerCase() === 'floz'

/** Reads "Grams", "Fl. Oz", "each" or "pk." */
export function weightUnitOf(text: string): WeightUnit | undefined {
  const name = text.toLowerCase().replace(fluidOunces, 'floz').replace(/\.$/, '')
  return Object.hasOwn(unitNames, name) ? unitNames[name] : undefined
}

export const StrainType = z.enum(strainTypes)
export type StrainType = z.infer<typeof StrainType>

/** Percent for smoked products, milligrams per package for edibles. */
export const potencyUnits = ['percent', 'mg'] as const
export const PotencyUnit = z.enum(potencyUnits)

const optional = <Schema extends z.ZodMiniType>(input: Schema) => {
  const change = z.nullable(input)
  return { isRequired: false, change, addition: z._default(change, null as never) } as const
}
const text = <Max extends number>(maxLength: Max) =>
  ({ kind: 'text', maxLength, ...optional(line(maxLength)), value: z.nullable(z.string()) }) as const
const number = {
  kind: 'number',
  ...optional(z.number('Must be a number').check(z.minimum(0, 'Must be 0 or more'), z.maximum(100_000, 'At most 100,000'))),
  value: z.nullable(z.number()),
} as const
const dateError = 'Enter a date such as 2026-12-24'
/** A calendar day of the business, "2026-12-24". */
const date = {
  kind: 'date',
  // No sale is older, and PostgreSQL has no year 0.
  ...optional(z.iso.date(dateError).check(z.refine((day) => day >= '2000', dateError))),
  value: z.nullable(z.string()),
} as const
const choice = <Schema extends z.ZodMiniType>(of: Schema) => ({ kind: 'choice', ...optional(of), value: z.nullable(of) }) as const
const name = line(160, 'Name is required')

type Description = {
  /** `variant` if each weight or pack of an item has its own value. */
  of: 'item' | 'variant'
  kind: 'text' | 'price' | 'number' | 'date' | 'choice' | 'switch'
  maxLength?: number
  isRequired: boolean
  /** Schemas for changing the field (`change`) and for adding an item (`addition`). */
  change: z.ZodMiniType
  addition: z.ZodMiniType
  value: z.ZodMiniType
  /** `everyone` includes other sites. */
  shownTo: 'editors' | 'shoppers' | 'everyone'
}

/**
 * What an editor enters about a menu item and its variants, in the order of a menu file's columns. Pictures, certificates and offers are
 * separate. All other code about menu fields derives from this table or uses the same keys: see docs/changing.md.
 */
export const menuFields = {
  sku: { of: 'variant', ...text(80), shownTo: 'editors' },
  name: {
    of: 'item',
    kind: 'text',
    maxLength: 160,
    isRequired: true,
    change: name,
    addition: name,
    value: z.string(),
    shownTo: 'everyone',
  },
  category: { of: 'item', ...choice(ProductCategory), shownTo: 'everyone' },
  subcategory: { of: 'item', ...text(80), shownTo: 'everyone' },
  strain: { of: 'item', ...text(120), shownTo: 'everyone' },
  strainType: { of: 'item', ...choice(StrainType), shownTo: 'everyone' },
  brand: { of: 'item', ...text(120), shownTo: 'everyone' },
  weight: { of: 'variant', ...number, shownTo: 'everyone' },
  weightUnit: { of: 'variant', ...choice(WeightUnit), shownTo: 'everyone' },
  price: { of: 'variant', kind: 'price', isRequired: true, change: Price, addition: Price, value: z.string(), shownTo: 'everyone' },
  /** Lower than the price. */
  salePrice: { of: 'variant', kind: 'price', ...optional(Price), value: z.nullable(z.string()), shownTo: 'everyone' },
  /**
   * The first and last day of the sale in the main location's time zone. Null means that it starts immediately, or runs until an editor
   * ends it.
   */
  saleStarts: { of: 'variant', ...date, shownTo: 'editors' },
  saleEnds: { of: 'variant', ...date, shownTo: 'everyone' },
  memberPrice: { of: 'variant', kind: 'price', ...optional(Price), value: z.nullable(z.string()), shownTo: 'shoppers' },
  stock: { of: 'variant', ...number, shownTo: 'editors' },
  isAvailable: {
    of: 'variant',
    kind: 'switch',
    isRequired: true,
    change: z.boolean(),
    addition: z._default(z.boolean(), true),
    value: z.boolean(),
    shownTo: 'everyone',
  },
  description: { of: 'item', ...text(2000), shownTo: 'everyone' },
  /** A single value, or the low end of a range if `thcMax` is set. CBD works the same way. */
  thc: { of: 'item', ...number, shownTo: 'everyone' },
  thcMax: { of: 'item', ...number, shownTo: 'everyone' },
  thcUnit: { of: 'item', ...choice(PotencyUnit), shownTo: 'everyone' },
  cbd: { of: 'item', ...number, shownTo: 'everyone' },
  cbdMax: { of: 'item', ...number, shownTo: 'everyone' },
  cbdUnit: { of: 'item', ...choice(PotencyUnit), shownTo: 'everyone' },
  batch: { of: 'variant', ...text(80), shownTo: 'shoppers' },
} as const satisfies Record<string, Description>

type MenuFields = typeof menuFields
export type MenuField = keyof MenuFields
export const menuFieldKeys = Object.keys(menuFields) as readonly MenuField[]

type FieldsOf<Part> = { [Key in MenuField]: MenuFields[Key]['of'] extends Part ? Key : never }[MenuField]
export type ItemField = FieldsOf<'item'>
export type VariantField = FieldsOf<'variant'>
export const itemFieldKeys = menuFieldKeys.filter((key): key is ItemField => menuFields[key].of === 'item')
export const variantFieldKeys = menuFieldKeys.filter((key): key is VariantField => menuFields[key].of === 'variant')

export type MenuFieldsShownTo<Audience> = { [Key in MenuField]: MenuFields[Key]['shownTo'] extends Audience ? Key : never }[MenuField]

/** The given part of each field, by key, for use as an object's shape. */
export function menuShape<Part extends 'change' | 'addition' | 'value', Keys extends MenuField = MenuField>(
  part: Part,
  keys: readonly Keys[],
): { [Key in Keys]: MenuFields[Key][Part] } {
  return Object.fromEntries(keys.map((key) => [key, menuFields[key][part]])) as { [Key in Keys]: MenuFields[Key][Part] }
}

const shownTo = <Key extends MenuField, Audience extends Description['shownTo']>(keys: readonly Key[], ...audiences: Audience[]) =>
  keys.filter((key): key is Key & MenuFieldsShownTo<Audience> => (audiences as string[]).includes(menuFields[key].shownTo))

export const shopperItemFields = shownTo(itemFieldKeys, 'shoppers', 'everyone')
export const shopperVariantFields = shownTo(variantFieldKeys, 'shoppers', 'everyone')
export const sharedItemFields = shownTo(itemFieldKeys, 'everyone')
export const sharedVariantFields = shownTo(variantFieldKeys, 'everyone')
