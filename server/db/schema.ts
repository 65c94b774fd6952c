// Generated from the migrations by npm run db:schema. Do not edit.
import type { ColumnType } from 'kysely'

/** Has a default: may be left out of an insert. */
export type Generated<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>
/** Computed by the database: never written. */
export type Computed<T> = ColumnType<T, never, never>
/** Written as text, because an array would otherwise become an array of PostgreSQL. */
export type Json = ColumnType<unknown, string, string>
export type Timestamp = ColumnType<Date, Date | string, Date | string>

export interface BusinessMembers {
  business_id: string
  user_id: string
  role: 'owner' | 'manager' | 'staff'
  created_at: Generated<Timestamp>
}

export interface Businesses {
  id: string
  slug: string
  name: string
  type: 'farm' | 'dispensary' | 'smoke_shop' | 'glass_shop' | 'food_service' | 'delivery' | 'other'
  description: string | null
  location: string | null
  address: string | null
  city: string | null
  state: string | null
  country: string | null
  zip: string | null
  phone: string | null
  website: string | null
  image_url: string | null
  stated_license_number: string | null
  latitude: number | null
  longitude: number | null
  geo_precision: 'premise' | 'zip' | 'city' | null
  pin_latitude: number | null
  pin_longitude: number | null
  pin_precision: 'premise' | 'zip' | 'city' | null
  search_text: Generated<string>
  rating_sum: Generated<number>
  total_ratings: Generated<number>
  average_rating: Computed<number>
  rating_score: Computed<number>
  subscriber_count: Generated<number>
  license_standing: Generated<'listed' | 'inactive' | 'missing' | 'none'>
  register_place: string | null
  edited_fields: Generated<string[]>
  claimed_at: Timestamp | null
  is_demo: Generated<boolean>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface Credentials {
  id: string
  user_id: string
  provider_id: string
  account_id: string
  password: string | null
  access_token: string | null
  refresh_token: string | null
  id_token: string | null
  access_token_expires_at: Timestamp | null
  refresh_token_expires_at: Timestamp | null
  scope: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface Favorites {
  id: string
  user_id: string
  business_id: string
  created_at: Generated<Timestamp>
}

export interface IdempotencyKeys {
  user_id: string
  key: string
  fingerprint: string
  response: Json | null
  created_at: Generated<Timestamp>
}

export interface LicenseImports {
  id: string
  source: string
  started_at: Timestamp
  finished_at: Timestamp | null
  rows_read: Generated<number>
  rows_refused: Generated<number>
  licenses_added: Generated<number>
  licenses_changed: Generated<number>
  licenses_missing: Generated<number>
  listings_added: Generated<number>
  listings_changed: Generated<number>
}

export interface LicenseRegister {
  id: number
}

export interface Licenses {
  id: string
  register_key: string
  business_id: string | null
  register_place: string | null
  address_key: string | null
  name_key: string
  listing_due: Generated<boolean>
  state: string
  license_number: string | null
  license_number_key: string | null
  business_name: string
  license_type: string | null
  business_type: 'farm' | 'dispensary' | 'smoke_shop' | 'glass_shop' | 'food_service' | 'delivery' | 'other'
  status: string | null
  standing: 'listed' | 'inactive' | 'missing'
  designation: string | null
  street: string | null
  city: string | null
  county: string | null
  zip: string | null
  phone: string | null
  website: string | null
  latitude: number | null
  longitude: number | null
  geo_precision: 'premise' | 'zip' | 'city' | null
  authority: string | null
  authority_id: string | null
  source: string
  source_date: string | null
  content_hash: string
  last_import_id: string
  missing_since: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface Posts {
  id: string
  author_id: string
  business_id: string | null
  title: string
  content: string
  image_url: string | null
  post_type: Generated<'update' | 'promotion' | 'educational' | 'product'>
  is_exclusive: Generated<boolean>
  likes_count: Generated<number>
  comments_count: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface Products {
  id: string
  business_id: string
  name: string
  price_cents: number
  currency: Generated<'USD' | 'CAD' | 'EUR'>
  description: string | null
  category: string | null
  image_url: string | null
  is_available: Generated<boolean>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface Reviews {
  id: string
  business_id: string
  user_id: string
  rating: number
  review: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface Sessions {
  id: string
  user_id: string
  token: string
  expires_at: Timestamp
  ip_address: string | null
  user_agent: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface Subscriptions {
  user_id: string
  business_id: string
  created_at: Generated<Timestamp>
}

export interface Users {
  id: string
  email: string
  email_verified: Generated<boolean>
  name: Generated<string>
  image: string | null
  display_name: string | null
  first_name: string | null
  last_name: string | null
  birthday: string | null
  user_type: Generated<'consumer' | 'business'>
  business_type: 'farm' | 'dispensary' | 'smoke_shop' | 'glass_shop' | 'food_service' | 'delivery' | 'other' | null
  license_number: string | null
  role: Generated<'member' | 'moderator' | 'admin'>
  interests: Generated<string[]>
  location: string | null
  bio: string | null
  is_profile_public: Generated<boolean>
  allow_location_sharing: Generated<boolean>
  has_completed_onboarding: Generated<boolean>
  subscription_tier: string | null
  following_count: Generated<number>
  followers_count: Generated<number>
  posts_count: Generated<number>
  is_demo: Generated<boolean>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface Verifications {
  id: string
  identifier: string
  value: string
  expires_at: Timestamp
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface DB {
  business_members: BusinessMembers
  businesses: Businesses
  credentials: Credentials
  favorites: Favorites
  idempotency_keys: IdempotencyKeys
  license_imports: LicenseImports
  license_register: LicenseRegister
  licenses: Licenses
  posts: Posts
  products: Products
  reviews: Reviews
  sessions: Sessions
  subscriptions: Subscriptions
  users: Users
  verifications: Verifications
}
