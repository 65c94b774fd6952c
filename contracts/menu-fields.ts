import { line, Price } from './fields.ts'
import { productCategories, weightUnits } from './menu-fields.rules.ts'
import * as z from './zod.ts'

export const ProductCategory = z.enum(productCategories)
export type ProductCategory = z.infer<typeof ProductCategory>

export const WeightUnit = z.enum(weightUnits)
export type WeightUnit = z.infer<typeof WeightUnit>

/** Percent for smoked products, milligrams per package for edibles. */
export const potencyUnits = ['percent', 'mg'] as const
export const PotencyUnit = z.enum(potencyUnits)

/** A field that may be empty. */
const optional = <Schema extends z.ZodMiniType>(input: Schema) => {
  const change = z.nullable(input)
  return { isRequired: false, change, addition: z._default(change, null as never) } as const
}
const text = <Max extends number>(maxLength: Max) =>
  ({ kind: 'text', maxLength, ...optional(line(maxLength)), value: z.nullable(z.string()) }) as const
const number = {
  kind: 'number',
  ...optional(z.number('Must be a number').check(z.minimum(0, 'Must be 0 or more'), z.maximum(100_000, 'At most 100000'))),
  value: z.nullable(z.number()),
} as const
const choice = <Schema extends z.ZodMiniType>(of: Schema) => ({ kind: 'choice', ...optional(of), value: z.nullable(of) }) as const
const name = line(160, 'Name is required')

type Description = {
  kind: 'text' | 'price' | 'number' | 'choice' | 'switch'
  maxLength?: number
  isRequired: boolean
  /** As an editor changes it, and as they add an item. */
  change: z.ZodMiniType
  addition: z.ZodMiniType
  /** As responses contain it. */
  value: z.ZodMiniType
  /** `everyone`: also on other sites. */
  shownTo: 'editors' | 'shoppers' | 'everyone'
}

/**
 * What an editor types about a menu item, in the order of a menu file's columns. Pictures, certificates and offers are apart. Everything
 * else about a menu field follows from here, or is keyed by the same names: see docs/changing.md.
 */
export const menuFields = {
  sku: { ...text(80), shownTo: 'editors' },
  name: { kind: 'text', maxLength: 160, isRequired: true, change: name, addition: name, value: z.string(), shownTo: 'everyone' },
  category: { ...choice(ProductCategory), shownTo: 'everyone' },
  strain: { ...text(120), shownTo: 'everyone' },
  brand: { ...text(120), shownTo: 'everyone' },
  price: { kind: 'price', isRequired: true, change: Price, addition: Price, value: z.string(), shownTo: 'everyone' },
  memberPrice: { kind: 'price', ...optional(Price), value: z.nullable(z.string()), shownTo: 'shoppers' },
  description: { ...text(2000), shownTo: 'everyone' },
  thc: { ...number, shownTo: 'everyone' },
  cbd: { ...number, shownTo: 'everyone' },
  potencyUnit: { ...choice(PotencyUnit), shownTo: 'everyone' },
  weight: { ...number, shownTo: 'everyone' },
  weightUnit: { ...choice(WeightUnit), shownTo: 'everyone' },
  batch: { ...text(80), shownTo: 'shoppers' },
  isAvailable: {
    kind: 'switch',
    isRequired: true,
    change: z.boolean(),
    addition: z._default(z.boolean(), true),
    value: z.boolean(),
    shownTo: 'everyone',
  },
} as const satisfies Record<string, Description>

type MenuFields = typeof menuFields
export type MenuField = keyof MenuFields
export const menuFieldKeys = Object.keys(menuFields) as readonly MenuField[]

export type MenuFieldsShownTo<Audience> = { [Key in MenuField]: MenuFields[Key]['shownTo'] extends Audience ? Key : never }[MenuField]

/** Schemas of the fields by key, for an object's shape. */
export function menuShape<Part extends 'change' | 'addition' | 'value', Keys extends MenuField = MenuField>(
  part: Part,
  keys: readonly Keys[] = menuFieldKeys as readonly Keys[],
): { [Key in Keys]: MenuFields[Key][Part] } {
  return Object.fromEntries(keys.map((key) => [key, menuFields[key][part]])) as { [Key in Keys]: MenuFields[Key][Part] }
}

const shownTo = <Audience extends Description['shownTo']>(...audiences: Audience[]) =>
  menuFieldKeys.filter((key): key is MenuFieldsShownTo<Audience> => (audiences as string[]).includes(menuFields[key].shownTo))

export const shopperFields = shownTo('shoppers', 'everyone')
export const sharedFields = shownTo('everyone')
