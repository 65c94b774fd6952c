import { endpoint } from './endpoint.ts'
import { figure, Id, IdOrSlugParams, line, page } from './fields.ts'
import { InsightQuery, InsightsOrTaste } from './insights.endpoints.ts'
import { maxSyncItems } from './limits.ts'
import { ProductCategory, StrainType, WeightUnit } from './menu-fields.ts'
import { NewPost } from './posts.ts'
import * as z from './zod.ts'

/**
 * Items are checked individually, so one with an error doesn't stop the others. The schema in the documentation describes an item's fields.
 */
const SentItem = z.unknown()

const described = (description: string, type: string | string[] = ['string', 'null']) => ({ type, description })
const value = (description: string) => described(description, ['string', 'number', 'null'])

z.globalRegistry.add(SentItem, {
  type: 'object',
  required: ['id'],
  properties: {
    id: described('The ID in the point-of-sale system. It must never change.', ['string', 'number']),
    name: described('Required for a new item.', 'string'),
    type: described(
      'The category, such as "Flower", "Pre-Rolls" or "Edibles". Other names are mapped to these; unknown ones become "Other".',
    ),
    brand: described('The brand.'),
    strain: described('The strain.'),
    strainType: described('"indica", "sativa" or "hybrid".'),
    description: described('At most 2,000 characters.'),
    imageUrl: described(
      "The URL of a picture, which we fetch once and serve ourselves. It never replaces an uploaded picture. Without this field, the picture doesn't change; null removes one that came from a URL.",
    ),
    isActive: described(
      'false if the item is not for sale. A new item is then skipped; one on the menu goes out of stock. Without variants, true puts one back in stock.',
      'boolean',
    ),
    cannabinoids: {
      type: 'array',
      description: 'THC and CBD or, without them, THCA and CBDA. Others are ignored.',
      items: {
        type: 'object',
        properties: {
          name: described('"THC" or "CBD".', 'string'),
          min: value('The value, or the low end of a range.'),
          max: value('The high end of a range.'),
          unit: described('"%", "mg" or "mg/g".'),
        },
      },
    },
    variants: {
      type: 'array',
      description: 'All weights or packs of the item; any that you leave out are removed. Required for a new item.',
      items: {
        type: 'object',
        required: ['id'],
        properties: {
          id: described('The ID in the point-of-sale system, unique within the item.', ['string', 'number']),
          size: value('3.5, "1/8 oz" or "10 x 10mg".'),
          unit: described('"g", "oz", "mg", "ml" or "piece".'),
          price: described('35 or "35.00". Required for a new variant.', ['string', 'number']),
          salePrice: value('Must be lower than the price. 0 means no sale.'),
          saleStarts: described('The first day of the sale in local time, such as "2026-12-24". Without it, the sale starts immediately.'),
          saleEnds: described('The last day of the sale. Without it, the sale lasts until you stop sending a sale price.'),
          inventory: value('The quantity on hand; 0 is out of stock.'),
          batch: described('The batch or lot.'),
          isActive: described('false if it is out of stock.', 'boolean'),
        },
      },
    },
  },
})

const MenuSyncItems = z.object({
  items: z.array(SentItem, 'Send a list of items').check(z.maxLength(maxSyncItems, `At most ${figure(maxSyncItems)} items`)),
})

export const MenuSync = z.object({
  id: Id,
  /** The complete menu, items to add or change, or items to remove. */
  kind: z.enum(['full_sync', 'update', 'removal']),
  status: z.enum(['running', 'done', 'failed', 'undone']),
  error: z.nullable(z.string()),
  keyName: z.nullable(z.string()),
  itemsReceived: z.int(),
  itemsAdded: z.int(),
  itemsChanged: z.int(),
  /** Items that were already on the menu exactly as sent. */
  itemsConfirmed: z.int(),
  /** Items from an earlier sync that weren't in the complete menu, so they are now out of stock. */
  itemsMissing: z.int(),
  itemsRemoved: z.int(),
  itemsRejected: z.int(),
  /** For each rejected item: its position in the list, its ID, the path of the field in the item (`variants.0.price`), and the reason. */
  errors: z.array(z.object({ index: z.int(), id: z.nullable(z.string()), field: z.nullable(z.string()), message: z.string() })),
  startedAt: z.iso.datetime(),
  finishedAt: z.nullable(z.iso.datetime()),
})
export type MenuSync = z.infer<typeof MenuSync>

const SyncedVariant = z.object({
  /** The ID in the point-of-sale system. Null if the variant was added manually or from a file. */
  id: z.nullable(z.string()),
  size: z.nullable(z.number()),
  unit: z.nullable(WeightUnit),
  price: z.string(),
  salePrice: z.nullable(z.string()),
  saleStarts: z.nullable(z.string()),
  saleEnds: z.nullable(z.string()),
  inventory: z.nullable(z.number()),
  batch: z.nullable(z.string()),
  isActive: z.boolean(),
})

export const SyncedItem = z.object({
  productId: Id,
  /** The ID in the point-of-sale system. Null if the item was added manually or from a file. */
  id: z.nullable(z.string()),
  name: z.string(),
  type: z.nullable(ProductCategory),
  brand: z.nullable(z.string()),
  strain: z.nullable(z.string()),
  strainType: z.nullable(StrainType),
  description: z.nullable(z.string()),
  imageUrl: z.nullable(z.string()),
  /** Why the picture at `imageUrl` can't be shown. Null if it is shown or hasn't been downloaded yet. */
  imageError: z.nullable(z.string()),
  isActive: z.boolean(),
  cannabinoids: z.array(
    z.object({ name: z.enum(['THC', 'CBD']), min: z.number(), max: z.nullable(z.number()), unit: z.nullable(z.enum(['%', 'mg'])) }),
  ),
  variants: z.array(SyncedVariant),
})
export type SyncedItem = z.infer<typeof SyncedItem>

const PictureCounts = z.object({ waiting: z.int(), failed: z.int() })

export const getSyncedMenu = endpoint({
  method: 'GET',
  path: '/api/integrations/menu',
  summary: "Read the business's menu, by category and name, in the format that the other calls accept",
  tag: 'Integrations',
  access: 'key',
  scope: 'menu:read',
  paginated: true,
  query: z.object(page),
  response: z.array(SyncedItem),
})

export const syncMenu = endpoint({
  method: 'POST',
  path: '/api/integrations/menu/items',
  summary:
    'Send the complete menu. Items from earlier calls that you leave out go out of stock. Finishes in the background (202) above 500 items. Idempotent.',
  tag: 'Integrations',
  access: 'key',
  scope: 'menu:write',
  words: 'mixed',
  rateLimit: 'menu-sync',
  maxBytes: 10 * 1024 * 1024,
  mayContinue: true,
  body: MenuSyncItems,
  response: MenuSync,
})

export const updateSyncedItems = endpoint({
  method: 'PUT',
  path: '/api/integrations/menu/items',
  summary: 'Add or change some items and leave the others unchanged. Finishes in the background (202) above 500 items. Idempotent.',
  tag: 'Integrations',
  access: 'key',
  scope: 'menu:write',
  words: 'mixed',
  rateLimit: 'menu-sync',
  maxBytes: 10 * 1024 * 1024,
  mayContinue: true,
  body: MenuSyncItems,
  response: MenuSync,
})

export const removeSyncedItems = endpoint({
  method: 'DELETE',
  path: '/api/integrations/menu/items',
  summary: 'Remove items by their IDs in the point-of-sale system. Unknown IDs are ignored. Idempotent.',
  tag: 'Integrations',
  access: 'key',
  scope: 'menu:write',
  rateLimit: 'menu-sync',
  body: z.object({
    ids: z.array(line(120, 'Must be an ID')).check(z.minLength(1, 'Send the IDs of the items'), z.maxLength(maxSyncItems)),
  }),
  response: MenuSync,
})

export const getSyncStatus = endpoint({
  method: 'GET',
  path: '/api/integrations/menu/status',
  summary: 'Read the last sync, or one by its ID, with its counts and the errors of rejected items',
  tag: 'Integrations',
  access: 'key',
  scope: 'menu:read',
  query: z.object({ sync: z.optional(Id) }),
  response: z.object({ itemCount: z.int(), pictures: PictureCounts, sync: z.nullable(MenuSync) }),
})

const { title, content, postType, isExclusive, imageUrl, place, tags } = NewPost.shape

export const createPostByKey = endpoint({
  method: 'POST',
  path: '/api/integrations/posts',
  summary:
    "Publish a post for the business, or save it as a draft for its team. Repeating the call with the same Idempotency-Key doesn't post twice.",
  tag: 'Integrations',
  access: 'key',
  scope: 'posts:write',
  words: 'published',
  rateLimit: 'post',
  idempotent: true,
  body: z.object({
    title,
    content,
    postType,
    isExclusive,
    imageUrl,
    place,
    tags,
    /** A draft isn't public until someone on the team publishes it on the dashboard. */
    status: z._default(z.enum(['published', 'draft']), 'published'),
  }),
  response: z.object({
    id: Id,
    /** `held`: a moderator will review it first, for the reasons in `heldFor`. */
    status: z.enum(['published', 'held', 'draft']),
    heldFor: z.array(z.string()),
    url: z.string(),
  }),
  status: 201,
})

export const getInsightsByKey = endpoint({
  method: 'GET',
  path: '/api/integrations/insights',
  summary:
    "Read the business's figures. Never shows a person or a group of fewer than five. Without the entitlement `insights`, shows only page views of the last 7 days.",
  tag: 'Integrations',
  access: 'key',
  scope: 'insights:read',
  query: InsightQuery,
  response: InsightsOrTaste,
})

export const getMenuConnection = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/menu-sync',
  summary: 'Read the last sync that an API key sent for a menu',
  tag: 'API keys',
  access: 'member',
  params: IdOrSlugParams,
  response: z.object({ pictures: PictureCounts, sync: z.nullable(MenuSync) }),
})
