// Generated from the migrations by npm run db:schema. Do not edit.
import type { ColumnType } from 'kysely'

/** Has a default: may be left out of an insert. */
export type Generated<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>
/** Computed by the database: never written. */
export type Computed<T> = ColumnType<T, never, never>
/** Written as text, because an array would otherwise become an array of PostgreSQL. */
export type Json = ColumnType<unknown, string, string>
export type Timestamp = ColumnType<Date, Date | string, Date | string>

export interface BusinessBlocks {
  user_id: string
  business_id: string
  created_at: Generated<Timestamp>
}

export interface BusinessFollows {
  user_id: string
  business_id: string
  is_implied: Generated<boolean>
  created_at: Generated<Timestamp>
}

export interface BusinessMembers {
  business_id: string
  user_id: string
  role: 'owner' | 'manager' | 'staff'
  created_at: Generated<Timestamp>
}

export interface BusinessTrends {
  business_id: string
  score: number
  reason: string
  computed_at: Timestamp
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
  image_id: string | null
  rating_counts: Generated<number[]>
}

export interface Comments {
  id: string
  post_id: string
  parent_id: string | null
  author_id: string
  business_id: string | null
  content: string
  replies_count: Generated<number>
  is_deleted: Generated<boolean>
  created_at: Generated<Timestamp>
  edited_at: Timestamp | null
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

export interface LiveSignals {
  id: string
  signal: Json
  created_at: Generated<Timestamp>
}

export interface Media {
  id: string
  owner_id: string | null
  kind: 'image' | 'video'
  status: Generated<'receiving' | 'processing' | 'ready' | 'failed'>
  byte_size: number
  received_bytes: Generated<number>
  error: string | null
  width: number | null
  height: number | null
  duration_ms: number | null
  placeholder: string | null
  alt: Generated<string>
  widths: Generated<number[]>
  extension: string | null
  source_url: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface MediaChunks {
  media_id: string
  starts_at: number
  ends_at: number
  is_counted: Generated<boolean>
}

export interface NotificationActors {
  notification_id: string
  user_id: string
  created_at: Generated<Timestamp>
}

export interface NotificationChoices {
  user_id: string
  topic: 'posts' | 'products' | 'likes' | 'comments' | 'follows' | 'reviews'
  channel: 'in_app' | 'email' | 'push'
  is_on: boolean
}

export interface NotificationSettings {
  user_id: string
  is_email_on: Generated<boolean>
  email_rhythm: Generated<'each' | 'daily' | 'weekly'>
  quiet_from: number | null
  quiet_until: number | null
  time_zone: Generated<string>
  last_digest_at: Timestamp | null
}

export interface Notifications {
  id: string
  user_id: string
  type: 'business_post' | 'farm_update' | 'harvest_ready' | 'new_product' | 'product_update' | 'person_post' | 'like' | 'comment' | 'reply' | 'follow' | 'subscriber' | 'review' | 'review_reply' | 'helpful'
  group_key: string
  business_id: string | null
  post_id: string | null
  comment_id: string | null
  review_id: string | null
  actor_id: string | null
  actors_count: Generated<number>
  is_read: Generated<boolean>
  created_at: Generated<Timestamp>
  mailed_at: Timestamp | null
  pushed_at: Timestamp | null
}

export interface PersonBlocks {
  blocker_id: string
  blocked_id: string
  created_at: Generated<Timestamp>
}

export interface PersonFollows {
  follower_id: string
  person_id: string
  created_at: Generated<Timestamp>
}

export interface PostLikes {
  post_id: string
  user_id: string
  created_at: Generated<Timestamp>
}

export interface PostMedia {
  post_id: string
  position: number
  media_id: string
}

export interface Posts {
  id: string
  author_id: string
  business_id: string | null
  title: string
  content: string
  source_image_url: string | null
  post_type: Generated<'update' | 'promotion' | 'educational' | 'product'>
  is_exclusive: Generated<boolean>
  likes_count: Generated<number>
  comments_count: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  tags: Generated<string[]>
  place: string | null
  edited_at: Timestamp | null
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

export interface PushSubscriptions {
  id: string
  user_id: string
  endpoint: string
  p256dh: string
  auth: string
  created_at: Generated<Timestamp>
}

export interface Reports {
  id: string
  reporter_id: string
  subject: 'post' | 'comment' | 'review' | 'person' | 'business'
  subject_id: string
  reason: 'spam' | 'harassment' | 'illegal_sale' | 'minors' | 'health_claim' | 'false_information' | 'intimate_image' | 'other'
  details: Generated<string>
  created_at: Generated<Timestamp>
  resolved_at: Timestamp | null
}

export interface ReviewVotes {
  review_id: string
  user_id: string
  created_at: Generated<Timestamp>
}

export interface Reviews {
  id: string
  business_id: string
  user_id: string
  rating: number
  review: string | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  is_freebie: Generated<boolean>
  edited_at: Timestamp | null
  helpful_count: Generated<number>
  reply: string | null
  replied_by: string | null
  replied_at: Timestamp | null
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
  image_id: string | null
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
  business_blocks: BusinessBlocks
  business_follows: BusinessFollows
  business_members: BusinessMembers
  business_trends: BusinessTrends
  businesses: Businesses
  comments: Comments
  credentials: Credentials
  favorites: Favorites
  idempotency_keys: IdempotencyKeys
  license_imports: LicenseImports
  license_register: LicenseRegister
  licenses: Licenses
  live_signals: LiveSignals
  media: Media
  media_chunks: MediaChunks
  notification_actors: NotificationActors
  notification_choices: NotificationChoices
  notification_settings: NotificationSettings
  notifications: Notifications
  person_blocks: PersonBlocks
  person_follows: PersonFollows
  post_likes: PostLikes
  post_media: PostMedia
  posts: Posts
  products: Products
  push_subscriptions: PushSubscriptions
  reports: Reports
  review_votes: ReviewVotes
  reviews: Reviews
  sessions: Sessions
  subscriptions: Subscriptions
  users: Users
  verifications: Verifications
}
