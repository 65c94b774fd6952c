import {
  BoundingBox,
  Business,
  BusinessEdits,
  BusinessSetup,
  BusinessSummary,
  businessSorts,
  MyBusiness,
  NewBusiness,
  NewClosure,
  OpenNow,
  Precision,
} from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { BusinessTypeSchema, flag, IdOrSlugParams, nearPlace, numeric, page, withoutNul } from './fields.ts'
import * as z from './zod.ts'

const filters = {
  /**
   * Case-insensitive match on name, description or location. A place name ("Denver", "80202") also matches businesses near it. Text before
   * a ZIP code ("green dragon 80202") matches only businesses near that ZIP code.
   */
  q: z.optional(z.string().check(z.trim(), z.maxLength(120), withoutNul)),
  type: z.optional(BusinessTypeSchema),
  near: nearPlace,
  /** Miles around `near`; 25 by default. */
  radius: z.optional(numeric(z.number().check(z.minimum(1), z.maximum(500)))),
  /** `true` widens the search, up to 500 miles, if fewer than ten businesses match. The map's `place` has the radius used. */
  widen: z.optional(flag()),
  bbox: z.optional(BoundingBox),
  state: z.optional(z.string().check(z.toUpperCase(), z.regex(/^[A-Z]{2}$/, 'Must be a two-letter state code'))),
  /** `true`: only businesses whose `licenseStanding` is `listed`. */
  verified: z.optional(flag()),
  /** `true`: only businesses whose main location is open now. */
  open: z.optional(flag()),
}

export const listBusinesses = endpoint({
  method: 'GET',
  path: '/api/businesses',
  summary: 'Find businesses by text, type, place, area, state, license and opening hours',
  tag: 'Businesses',
  access: 'public',
  paginated: true,
  query: z.object({ ...page, ...filters, sort: z._default(z.enum(businessSorts), 'highest_rated') }),
  response: z.array(BusinessSummary),
})

export const searchMap = endpoint({
  method: 'GET',
  path: '/api/businesses/map',
  summary: 'Search an area of the map. Returns pins, or counts per grid cell if there are too many.',
  tag: 'Businesses',
  access: 'public',
  query: z.object({ ...filters, zoom: z._default(numeric(z.number().check(z.minimum(0), z.maximum(24))), 4) }),
  response: z.object({
    /** Includes matches outside the box. */
    total: z.int(),
    /** The center of the search; null if it names no place. */
    place: z.nullable(
      z.object({
        label: z.string(),
        latitude: z.number(),
        longitude: z.number(),
        radiusMiles: z.nullable(z.number()),
        /** `q` without the place that it names: "green dragon" in "green dragon 80202". */
        otherText: z.string(),
      }),
    ),
    pins: z.array(
      z.object({
        id: z.string(),
        slug: z.nullable(z.string()),
        name: z.nullable(z.string()),
        type: z.nullable(BusinessTypeSchema),
        latitude: z.number(),
        longitude: z.number(),
        precision: z.nullable(Precision),
        /** Null for cells and for businesses that haven't stated their hours. */
        openNow: z.nullable(z.pick(OpenNow, { isOpen: true, changesAt: true })),
        /** 1 for a business, more for a cell. */
        count: z.int(),
      }),
    ),
  }),
})

export const getBusiness = endpoint({
  method: 'GET',
  path: '/api/businesses/:id',
  summary: 'Read a business by ID or slug',
  tag: 'Businesses',
  access: 'public',
  params: IdOrSlugParams,
  response: Business,
})

export const getBusinessStatus = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/status',
  summary: 'Read your relationship with a business',
  tag: 'Businesses',
  access: 'member',
  params: IdOrSlugParams,
  response: z.object({
    isSubscribed: z.boolean(),
    isFavorited: z.boolean(),
    /** Also true for subscribers. */
    isFollowing: z.boolean(),
    isBlocked: z.boolean(),
    isMuted: z.boolean(),
    role: z.nullable(z.enum(['owner', 'manager', 'staff'])),
  }),
})

export const listMyBusinesses = endpoint({
  method: 'GET',
  path: '/api/businesses/mine',
  summary: 'List the businesses you help run, by name; you can post and comment as them',
  tag: 'Businesses',
  access: 'member',
  response: z.array(MyBusiness),
})

export const createBusiness = endpoint({
  method: 'POST',
  path: '/api/businesses',
  summary:
    'Create a business, become its owner and complete onboarding. Returns 409 with a link to the claim if the license number has a listing.',
  tag: 'Businesses',
  access: 'account',
  words: 'published',
  // Suspended people can't call this, because the business is listed immediately.
  whileSuspended: false,
  idempotent: true,
  body: NewBusiness,
  response: Business,
  status: 201,
})

export const setUpBusiness = endpoint({
  method: 'POST',
  path: '/api/businesses/setups',
  summary: 'Create a business with only a name and a type; add its location later',
  tag: 'Businesses',
  access: 'member',
  words: 'published',
  whileSuspended: false,
  idempotent: true,
  body: BusinessSetup,
  response: Business,
  status: 201,
})

export const updateBusiness = endpoint({
  method: 'PATCH',
  path: '/api/businesses/:id',
  summary: "Change a business's page (owner and managers only)",
  tag: 'Businesses',
  access: 'member',
  words: 'mixed',
  params: IdOrSlugParams,
  body: BusinessEdits,
  response: Business,
})

export const closeBusiness = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/closure',
  summary:
    'Close a business temporarily or permanently, as its owner. If it closes permanently, paid subscriptions end with the paid period. Idempotent.',
  tag: 'Businesses',
  access: 'member',
  params: IdOrSlugParams,
  body: NewClosure,
  response: Business,
})

export const reopenBusiness = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/closure',
  summary: 'Reopen a closed business, as its owner. Idempotent.',
  tag: 'Businesses',
  access: 'member',
  params: IdOrSlugParams,
  response: Business,
})
