// Generated from the migrations by npm run db:schema. Do not edit.
import type { ColumnType } from 'kysely'

/** Has a default, so an insert may omit it. */
export type Generated<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>
/** Computed by the database; never written. */
export type Computed<T> = ColumnType<T, never, never>
/** Written as text, because pg would turn a JavaScript array into a PostgreSQL array. */
export type Json = ColumnType<unknown, string, string>
export type Timestamp = ColumnType<Date, Date | string, Date | string>

export interface AccountDeletions {
  user_id: string
  asked_at: Timestamp
  profile_moderation: 'held' | 'hidden' | 'removed' | null
  gives_up_businesses: boolean
  reminded_at: Timestamp | null
  began_at: Timestamp | null
  told_at: Timestamp | null
}

export interface Agreements {
  id: string
  payer_id: string | null
  plan_id: string | null
  business_id: string | null
  subscribe_to: string | null
  provider: 'test' | 'paypal' | 'invoice'
  provider_subscription_id: string | null
  provider_plan_id: string | null
  title: string
  amount_cents: number
  currency: 'USD' | 'CAD' | 'EUR'
  status: 'pending' | 'active' | 'past_due' | 'canceled' | 'ended'
  entitled_until: Timestamp | null
  paid_until: Timestamp | null
  grace_until: Timestamp | null
  checked_at: Timestamp | null
  past_due_since: Timestamp | null
  replaces: string | null
  asked_ticket: Generated<number>
  applied_ticket: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  canceled_at: Timestamp | null
  ended_at: Timestamp | null
  closed_at: Timestamp | null
  account_id: string | null
  menu_business_id: string | null
  menu_chosen_at: Timestamp | null
  paused_at: Timestamp | null
}

export interface AudienceDays {
  business_id: string
  day: string
  followers: number
  subscribers: number
  saves: number
}

export interface AuditHead {
  id: number
  sequence: number
  hash: string
}

export interface AuditLog {
  sequence: number
  id: string
  at: Timestamp
  actor_id: string | null
  action: string
  subject_type: string
  subject_id: string
  business_id: string | null
  details: Json
  previous_hash: string
  hash: string
}

export interface AwaitedPhotos {
  id: string
  hunt_id: string
  file: string
  alt: Generated<string>
  log_id: string | null
  position: number | null
  trait_id: string | null
  plant_id: string | null
  run_id: string | null
  observed_on: string | null
  note: Generated<string>
  is_blind: Generated<boolean>
  recorded_at: Timestamp | null
  scorer: string | null
}

export interface BillingMails {
  agreement_id: string
  since: Timestamp
  step: string
  sent_at: Timestamp
}

export interface BlindPanels {
  id: string
  hunt_id: string
  name: string
  instructions: Generated<string>
  is_open: Generated<boolean>
  closed_at: Timestamp | null
  created_by: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  hides_jars: Generated<boolean>
  filled_by: string | null
  filled_at: Timestamp | null
}

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

export interface BusinessGroupMembers {
  group_id: string
  user_id: string
  role: 'manager' | 'staff'
  created_at: Timestamp
}

export interface BusinessGroups {
  id: string
  owner_id: string
  name: string
  created_at: Timestamp
}

export interface BusinessKeyTokens {
  token_hash: string
  key_id: string
  scopes: string[]
  expires_at: Timestamp
}

export interface BusinessKeys {
  id: string
  business_id: string
  created_by: string
  name: string
  scopes: string[]
  secret_hash: string
  secret_end: string
  created_at: Timestamp
  expires_at: Timestamp | null
  revoked_at: Timestamp | null
  last_used_at: Timestamp | null
}

export interface BusinessMembers {
  business_id: string
  user_id: string
  role: 'owner' | 'manager' | 'staff'
  created_at: Generated<Timestamp>
  group_id: string | null
  via_group_id: string | null
}

export interface BusinessMoves {
  business_id: string
  moves_on: string
  location: string
  address: string | null
  city: string | null
  state: string | null
  country: string | null
  zip: string | null
  pin_latitude: number | null
  pin_longitude: number | null
  pin_precision: 'premise' | 'zip' | 'city' | null
  created_at: Timestamp
}

export interface BusinessMutes {
  user_id: string
  business_id: string
  created_at: Generated<Timestamp>
}

export interface BusinessPaymentAccounts {
  id: string
  business_id: string
  provider: 'paypal' | 'invoice'
  connected_by: string | null
  client_id: string | null
  sealed_secret: string | null
  webhook_id: string | null
  environment: 'live' | 'sandbox' | null
  instructions: string | null
  connected_at: Timestamp
  checked_at: Timestamp | null
  failure: 'refused' | 'silent' | 'unreadable' | null
  failing_since: Timestamp | null
  told_at: Timestamp | null
  retired_at: Timestamp | null
}

export interface BusinessPersonBlocks {
  business_id: string
  person_id: string
  blocked_by: string | null
  created_at: Generated<Timestamp>
}

export interface BusinessRedirects {
  from_id: string
  slug: string
  business_id: string
  register_place: string | null
  merged_by: string | null
  created_at: Timestamp
}

export interface BusinessSocialLinks {
  business_id: string
  network: 'instagram' | 'facebook' | 'x' | 'youtube' | 'tiktok' | 'linkedin'
  url: string
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
  license_verified_through: string | null
  moderation: 'held' | 'hidden' | 'removed' | null
  license_trust: Computed<number>
  closure: 'temporary' | 'permanent' | null
  closed_at: Timestamp | null
  closed_by: 'owner' | 'members' | 'moderators' | null
  reopens_on: string | null
  logo_id: string | null
  amenities: Generated<string[]>
  average_rating: Computed<number>
}

export interface Checkouts {
  id: string
  user_id: string
  plan_id: string | null
  business_id: string | null
  subscribe_to: string | null
  provider: 'test' | 'paypal' | 'invoice'
  provider_plan_id: string | null
  title: string
  amount_cents: number
  currency: 'USD' | 'CAD' | 'EUR'
  status: 'open' | 'approved' | 'refused' | 'expired'
  replaces: string | null
  agreement_id: string | null
  created_at: Generated<Timestamp>
  expires_at: Timestamp
  account_id: string | null
}

export interface Claims {
  id: string
  business_id: string
  user_id: string
  method: 'email' | 'phone' | 'review'
  status: 'open' | 'approved' | 'rejected' | 'closed'
  is_dispute: Generated<boolean>
  email: string | null
  phone: string | null
  code_number: Generated<number>
  code_expires_at: Timestamp | null
  attempts: Generated<number>
  statement: string | null
  document_id: string | null
  closed_because: 'attempts' | 'expired' | 'claimed' | 'withdrawn' | null
  decided_by: string | null
  decided_at: Timestamp | null
  reason: string | null
  created_at: Timestamp
  verification_id: string | null
  proof: 'code' | 'review' | null
}

export interface ClimateImports {
  id: string
  hunt_id: string
  sensor_id: string
  file_name: string
  time_zone: string
  readings_count: Generated<number>
  imported_by: string | null
  created_at: Generated<Timestamp>
}

export interface ClimateReadings {
  sensor_id: string
  read_at: Timestamp
  import_id: string
  air_celsius: number
  humidity_percent: number
  leaf_celsius: number | null
  co2_ppm: number | null
  vpd_kpa: number
}

export interface ClimateSensors {
  id: string
  hunt_id: string
  name: string
  created_at: Generated<Timestamp>
}

export interface ClimateTargets {
  hunt_id: string
  stage: 'germination' | 'seedling' | 'vegetative' | 'flower' | 'drying' | 'curing'
  measure: 'airCelsius' | 'humidityPercent' | 'leafCelsius' | 'co2Ppm' | 'vpdKpa'
  low: number
  high: number
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
  moderation: 'held' | 'hidden' | 'removed' | null
}

export interface Communities {
  id: string
  slug: string
  name: string
  description: Generated<string>
  category: 'growing' | 'strains' | 'medical' | 'business' | 'general'
  visibility: 'public' | 'private' | 'invite_only'
  rules: Generated<string[]>
  image_id: string | null
  is_verified: Generated<boolean>
  member_count: Generated<number>
  post_count: Generated<number>
  search_text: Generated<string>
  created_by: string | null
  moderation: 'held' | 'hidden' | 'removed' | null
  is_demo: Generated<boolean>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface CommunityBans {
  community_id: string
  user_id: string
  ends_at: Timestamp | null
  created_at: Generated<Timestamp>
}

export interface CommunityInvitations {
  id: string
  community_id: string
  invited_by: string
  invited_id: string | null
  token_hash: string | null
  created_at: Generated<Timestamp>
  expires_at: Timestamp
  used_at: Timestamp | null
  used_by: string | null
  revoked_at: Timestamp | null
}

export interface CommunityMembers {
  community_id: string
  user_id: string
  role: Generated<'owner' | 'moderator' | 'member'>
  joined_at: Generated<Timestamp>
}

export interface CommunityMutes {
  community_id: string
  user_id: string
  ends_at: Timestamp
  created_at: Generated<Timestamp>
}

export interface CommunityPostRanks {
  post_id: string
  community_id: string
  likes_count: number
  created_at: Timestamp
  active_at: Timestamp
}

export interface CommunityRequests {
  community_id: string
  user_id: string
  message: Generated<string>
  created_at: Generated<Timestamp>
}

export interface CommunityTags {
  community_id: string
  tag: string
  score: number
  scored_at: Timestamp
}

export interface ConversationSides {
  conversation_id: string
  user_id: string | null
  business_id: string | null
  read_sequence: Generated<number>
  cleared_sequence: Generated<number>
  muted_at: Timestamp | null
  last_message_at: Timestamp | null
  unread_count: Generated<number>
  is_request: Generated<boolean>
}

export interface Conversations {
  id: string
  person_id: string | null
  other_id: string | null
  business_id: string | null
  started_by: string | null
  accepted_at: Timestamp | null
  declined_at: Timestamp | null
  last_sequence: Generated<number>
  last_message_at: Timestamp | null
  created_at: Generated<Timestamp>
}

export interface CorrectionVotes {
  correction_id: string
  user_id: string
  agrees: boolean
  created_at: Timestamp
}

export interface Corrections {
  id: string
  business_id: string
  user_id: string
  kind: 'closed' | 'open' | 'moved' | 'phone' | 'website' | 'hours' | 'duplicate'
  value: Json
  value_key: string
  state: Generated<'open' | 'applied' | 'rejected' | 'withdrawn' | 'superseded' | 'undone'>
  settled_as: 'members' | 'owner' | 'moderators' | null
  settled_by: string | null
  settled_at: Timestamp | null
  replaced: Json | null
  undone_by: string | null
  undone_at: Timestamp | null
  created_at: Timestamp
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

export interface DataExports {
  id: string
  user_id: string
  status: Generated<'waiting' | 'making' | 'ready' | 'failed'>
  requested_at: Timestamp
  progress: Generated<number>
  attempts: Generated<number>
  beat_at: Timestamp | null
  ready_at: Timestamp | null
  expires_at: Timestamp | null
  byte_size: number | null
}

export interface Decisions {
  id: string
  hunt_id: string
  genotype_id: string
  kind: 'keep' | 'retest' | 'cull' | 'breed'
  reason: Generated<string>
  known: Generated<Json>
  ended_plant_ids: Generated<string[]>
  decided_by: string | null
  decided_on: string
  created_at: Generated<Timestamp>
  undone_at: Timestamp | null
  undone_by: string | null
}

export interface EarlierReports {
  id: string
  case_id: string
  reporter_id: string
  subject: string
  subject_id: string
  reason: string
  details: string
  created_at: Timestamp
  resolved_at: Timestamp | null
}

export interface EmailChanges {
  id: string
  user_id: string
  old_email: string
  new_email: string
  requested_at: Timestamp
  expires_at: Timestamp
  confirmed_at: Timestamp | null
}

export interface EndedFollows {
  user_id: string
  business_id: string
  followed_at: Timestamp
  ended_at: Timestamp
}

export interface EventRsvps {
  event_id: string
  user_id: string
  created_at: Timestamp
  remind_at: Timestamp | null
}

export interface Events {
  id: string
  business_id: string
  created_by: string | null
  title: string
  description: string
  audience: 'everyone' | 'subscribers' | 'vip'
  starts_at: Timestamp
  ends_at: Timestamp
  time_zone: string
  location_id: string | null
  venue: string | null
  address: string | null
  city: string
  pin_latitude: number | null
  pin_longitude: number | null
  is_farm: boolean
  capacity: number | null
  going_count: Generated<number>
  sequence: Generated<number>
  canceled_at: Timestamp | null
  cancel_note: Generated<string>
  moderation: 'held' | 'hidden' | 'removed' | null
  created_at: Timestamp
  updated_at: Timestamp
  moved_sequence: Generated<number>
  edited_at: Timestamp | null
}

export interface Favorites {
  id: string
  user_id: string
  business_id: string
  created_at: Generated<Timestamp>
}

export interface GalleryItems {
  id: string
  business_id: string
  media_id: string
  kind: 'image' | 'video'
  position: number
  alt: string
  added_by: string | null
  moderation: 'held' | 'hidden' | 'removed' | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface Genotypes {
  id: string
  hunt_id: string
  seed_lot_id: string | null
  number: number
  label: Generated<string>
  sex: Generated<'unknown' | 'female' | 'male' | 'intersex'>
  notes: Generated<string>
  standing: 'keep' | 'retest' | 'cull' | 'breed' | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  kind: Generated<'seed' | 'check'>
  backup_holder: string | null
}

export interface GrowLogPhotos {
  log_id: string
  position: number
  media_id: string
}

export interface GrowLogVersions {
  log_id: string
  version: number
  said: Json
  changed_by: string | null
  changed_at: Generated<Timestamp>
}

export interface GrowLogs {
  id: string
  hunt_id: string
  plant_id: string | null
  logged_on: string
  week: number | null
  stage: 'germination' | 'seedling' | 'vegetative' | 'flower' | 'drying' | 'curing' | null
  height_cm: number | null
  rating: number | null
  notes: Generated<string>
  air_celsius: number | null
  leaf_celsius: number | null
  humidity_percent: number | null
  co2_ppm: number | null
  ppfd: number | null
  ec_in: number | null
  ec_out: number | null
  ph_in: number | null
  ph_out: number | null
  feed: Generated<string>
  pest_control: Generated<string>
  training: Generated<string>
  author_id: string | null
  version: Generated<number>
  deleted_at: Timestamp | null
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  scorer: string | null
}

export interface GuideProgress {
  user_id: string
  marked: Generated<string[]>
  current_step: string | null
  is_dismissed: Generated<boolean>
  uses_model: Generated<boolean>
  updated_at: Generated<Timestamp>
}

export interface Harvests {
  id: string
  hunt_id: string
  plant_id: string
  run_id: string | null
  harvested_on: string
  flower_days: number | null
  wet_grams: number | null
  dry_grams: number | null
  trim_grams: number | null
  wash_yield_percent: number | null
  notes: Generated<string>
  version: Generated<number>
  created_at: Generated<Timestamp>
  ended_plant: Generated<boolean>
}

export interface HiddenPosts {
  user_id: string
  post_id: string
  created_at: Generated<Timestamp>
}

export interface HuntComments {
  id: string
  hunt_id: string
  author_id: string
  content: string
  created_at: Generated<Timestamp>
  edited_at: Timestamp | null
  moderation: 'held' | 'hidden' | 'removed' | null
}

export interface HuntEvents {
  id: string
  hunt_id: string
  genotype_id: string | null
  plant_id: string | null
  kind: string
  subject_id: string | null
  detail: Generated<Json>
  happened_on: string
  recorded_by: string | null
  recorded_at: Generated<Timestamp>
}

export interface HuntProofs {
  id: string
  hunt_id: string | null
  made_by: string | null
  content_hash: string
  audit_sequence: number
  audit_hash: string
  made_at: Generated<Timestamp>
}

export interface HuntShares {
  hunt_id: string
  user_id: string
  access: 'view' | 'write'
  created_at: Generated<Timestamp>
}

export interface HuntTasks {
  id: string
  hunt_id: string
  genotype_id: string | null
  title: string
  due_on: string
  every_days: number | null
  done_at: Timestamp | null
  done_by: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  follows_id: string | null
}

export interface Hunts {
  id: string
  owner_id: string
  hunt_name: string
  breeders: Generated<string[]>
  seed_count: Generated<number>
  search_text: Generated<string>
  goals: Generated<string>
  grow_environment: Generated<string>
  germination_date: string | null
  is_active: Generated<boolean>
  completed_on: string | null
  plant_limit: number | null
  visibility: Generated<'private' | 'public'>
  published_at: Timestamp | null
  next_number: Generated<number>
  comments_count: Generated<number>
  is_demo: Generated<boolean>
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  moderation: 'held' | 'hidden' | 'removed' | null
  selects_males: Generated<boolean>
  ranks_harvested: Generated<boolean>
}

export interface IdempotencyKeys {
  user_id: string
  key: string
  fingerprint: string
  response: Json | null
  created_at: Generated<Timestamp>
}

export interface LabResults {
  id: string
  hunt_id: string
  plant_id: string
  lab: Generated<string>
  tested_on: string
  sample_position: Generated<string>
  analyte: string
  value: number | null
  unit: Generated<string>
  quantification_limit: number | null
  version: Generated<number>
  created_at: Generated<Timestamp>
}

export interface LicenseApprovals {
  verification_id: string
  user_id: string
  created_at: Timestamp
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

export interface LicenseVerifications {
  id: string
  business_id: string
  license_number: string
  license_number_key: string
  state: string
  license_name: string
  business_type: 'farm' | 'dispensary' | 'smoke_shop' | 'glass_shop' | 'food_service' | 'delivery' | 'other'
  stated_expires_on: string | null
  document_id: string | null
  license_id: string | null
  match: 'full' | 'near' | 'none'
  differences: Generated<string[]>
  is_dispute: Generated<boolean>
  status: 'pending' | 'verified' | 'rejected' | 'withdrawn' | 'superseded' | 'expired' | 'revoked' | 'unproven'
  basis: 'register' | 'code' | 'document' | null
  authority: string | null
  source: string | null
  source_date: string | null
  expires_on: string | null
  expiry_source: 'register' | 'business' | null
  reason: string | null
  warned_days: number | null
  requested_by: string | null
  created_at: Timestamp
  verified_at: Timestamp | null
  checked_at: Timestamp | null
  ended_at: Timestamp | null
  updated_at: Timestamp
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
  expires_on: string | null
}

export interface LiveSignals {
  id: string
  signal: Json
  created_at: Generated<Timestamp>
}

export interface LocationHours {
  location_id: string
  weekday: number
  opens: number
  closes: number
}

export interface LocationSpecialDays {
  location_id: string
  day: string
  opens: Generated<number[]>
  closes: Generated<number[]>
  note: Generated<string>
}

export interface Locations {
  id: string
  business_id: string
  name: string
  location: string | null
  address: string | null
  city: string | null
  state: string | null
  country: string | null
  zip: string | null
  phone: string | null
  pin_latitude: number | null
  pin_longitude: number | null
  pin_precision: 'premise' | 'zip' | 'city' | null
  time_zone: string
  has_hours: Generated<boolean>
  is_farm: Generated<boolean>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface Media {
  id: string
  owner_id: string | null
  kind: 'image' | 'video' | 'document'
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
  page_count: number | null
}

export interface MediaChunks {
  media_id: string
  starts_at: number
  ends_at: number
  is_counted: Generated<boolean>
}

export interface MediaUses {
  media_id: string
  kind: 'post' | 'draft' | 'business' | 'community' | 'person' | 'product' | 'claim' | 'license' | 'log' | 'observation' | 'message' | 'gallery_item' | 'review'
  subject_id: string
  post_id: Computed<string | null>
  draft_id: Computed<string | null>
  business_id: Computed<string | null>
  community_id: Computed<string | null>
  person_id: Computed<string | null>
  product_id: Computed<string | null>
  claim_id: Computed<string | null>
  license_id: Computed<string | null>
  log_id: Computed<string | null>
  observation_id: Computed<string | null>
  message_id: Computed<string | null>
  gallery_item_id: Computed<string | null>
  review_id: Computed<string | null>
}

export interface Mentions {
  post_id: string | null
  comment_id: string | null
  person_id: string | null
  business_id: string | null
  start: number
  length: number
}

export interface MenuAnnouncements {
  business_id: string
  day: string
  type: Generated<'new_product' | 'product_update'>
}

export interface MenuFileMappings {
  business_id: string
  header_hash: string
  fields: Json
  keeps_rows_apart: boolean
  missing_items: 'leave' | 'out_of_stock' | 'remove'
  used_at: Timestamp
}

export interface MenuImportChanges {
  import_id: string
  product_id: string
  before: Json | null
  version: number
  confirmed_at: Timestamp | null
}

export interface MenuImportPieces {
  import_id: string
  starts_at: number
  bytes: Buffer
}

export interface MenuImports {
  id: string
  business_id: string
  user_id: string | null
  file_name: string
  status: 'receiving' | 'ready' | 'running' | 'done' | 'failed' | 'undone'
  byte_size: number
  received_bytes: Generated<number>
  columns: Generated<Json>
  preview: Generated<Json>
  skips_wrong_rows: Generated<boolean>
  error: string | null
  row_errors: Generated<Json>
  rows_total: Generated<number>
  rows_done: Generated<number>
  rows_refused: Generated<number>
  items_added: Generated<number>
  items_changed: Generated<number>
  created_at: Generated<Timestamp>
  started_at: Timestamp | null
  finished_at: Timestamp | null
  updated_at: Generated<Timestamp>
  kind: Generated<'file' | 'full_sync' | 'update' | 'removal'>
  key_id: string | null
  key_name: string | null
  items_confirmed: Generated<number>
  items_missing: Generated<number>
  items_removed: Generated<number>
  item_errors: Generated<Json>
  keeps_rows_apart: Generated<boolean>
  missing_items: Generated<'leave' | 'out_of_stock' | 'remove'>
  prices_include_tax: boolean | null
  included_tax_before: boolean | null
  is_mapping_known: Generated<boolean>
  rows_inactive: Generated<number>
  rows_grouped: Generated<number>
  rows_flagged: Generated<number>
  row_notes: Generated<Json>
  rejected_csv: string | null
  source_id: string | null
  rows_elsewhere: Generated<number>
}

export interface MenuPictures {
  business_id: string
  url: string
  picture_id: string | null
  etag: string | null
  last_modified: string | null
  content_hash: string | null
  error: string | null
  tries: Generated<number>
  due_at: Timestamp | null
  leased_until: Timestamp | null
  checked_at: Timestamp | null
}

export interface MenuSettings {
  business_id: string
  currency: Generated<'USD' | 'CAD' | 'EUR'>
  tax_rate: number | null
  prices_include_tax: Generated<boolean>
  updated_at: Generated<Timestamp>
}

export interface MenuSharing {
  business_id: string
  is_embed_on: Generated<boolean>
  feed_token: string | null
  updated_at: Generated<Timestamp>
}

export interface MenuSources {
  id: string
  business_id: string
  created_by: string | null
  url: string
  auth: 'none' | 'basic' | 'header'
  auth_name: string | null
  sealed_secret: string | null
  schedule: 'manual' | 'nightly' | 'hourly'
  created_at: Timestamp
  next_fetch_at: Timestamp | null
  fetching_until: Timestamp | null
  fetched_at: Timestamp | null
  applied_at: Timestamp | null
  outcome: 'imported' | 'unchanged' | 'failed' | null
  error: string | null
  failing_since: Timestamp | null
  stopped_at: Timestamp | null
  etag: string | null
  last_modified: string | null
  content_hash: string | null
}

export interface MergedReviews {
  id: string
  business_id: string
  user_id: string
  rating: number
  review: string | null
  is_freebie: boolean
  reply: string | null
  created_at: Timestamp
  edited_at: Timestamp | null
  merged_at: Timestamp
}

export interface MessageDeletions {
  message_id: string
  user_id: string | null
  business_id: string | null
}

export interface MessageMedia {
  message_id: string
  position: number
  media_id: string
}

export interface Messages {
  id: string
  conversation_id: string
  sequence: number
  sender_id: string | null
  is_from_business: Generated<boolean>
  recipient_id: string | null
  business_id: string | null
  content: Generated<string>
  moderation: 'held' | 'hidden' | 'removed' | null
  created_at: Generated<Timestamp>
}

export interface ModerationActions {
  id: string
  case_id: string | null
  community_id: string | null
  action: 'approve' | 'dismiss' | 'hide' | 'remove' | 'warn' | 'mute' | 'suspend' | 'ban'
  subject: 'post' | 'comment' | 'review' | 'person' | 'business' | 'hunt' | 'hunt_comment' | 'community' | 'message' | 'event' | 'gallery_item' | 'product'
  subject_id: string
  user_id: string | null
  moderator_id: string | null
  reason: string
  explanation: Generated<string>
  note: Generated<string>
  ends_at: Timestamp | null
  hides_content: Generated<boolean>
  created_at: Generated<Timestamp>
  undone_at: Timestamp | null
  undone_by: string | null
  undo_reason: Generated<string>
}

export interface ModerationAppeals {
  id: string
  action_id: string
  user_id: string
  content: string
  moderator_id: string | null
  created_at: Generated<Timestamp>
  decided_at: Timestamp | null
  decided_by: string | null
  outcome: 'upheld' | 'overturned' | null
  answer: Generated<string>
}

export interface ModerationCases {
  id: string
  subject: 'post' | 'comment' | 'review' | 'person' | 'business' | 'hunt' | 'hunt_comment' | 'community' | 'message' | 'event' | 'gallery_item' | 'product'
  subject_id: string
  user_id: string | null
  community_id: string | null
  is_for_site: Generated<boolean>
  source: 'report' | 'filter' | 'check'
  findings: Generated<Json>
  reports_count: Generated<number>
  reason: string | null
  due_at: Timestamp | null
  reminded_at: Timestamp | null
  assigned_to: string | null
  status: Generated<'open' | 'decided'>
  opened_at: Generated<Timestamp>
  decided_at: Timestamp | null
  decided_by: string | null
  business_id: string | null
}

export interface ModerationEffects {
  action_id: string
  subject: 'post' | 'comment' | 'review' | 'person' | 'business' | 'hunt' | 'hunt_comment' | 'community' | 'message' | 'event' | 'gallery_item' | 'product'
  subject_id: string
  before: 'held' | 'hidden' | 'removed' | null
  after: 'held' | 'hidden' | 'removed' | null
}

export interface NotificationActors {
  notification_id: string
  user_id: string
  created_at: Generated<Timestamp>
}

export interface NotificationChoices {
  user_id: string
  topic: 'posts' | 'products' | 'likes' | 'comments' | 'follows' | 'reviews' | 'hunts' | 'communities' | 'messages' | 'events' | 'mentions' | 'held' | 'drafts'
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
  is_prompt_on: Generated<boolean>
}

export interface Notifications {
  id: string
  user_id: string
  type: 'business_post' | 'farm_update' | 'harvest_ready' | 'new_product' | 'product_update' | 'person_post' | 'like' | 'comment' | 'reply' | 'follow' | 'subscriber' | 'review' | 'review_reply' | 'helpful' | 'license_verified' | 'license_rejected' | 'license_expiring' | 'license_ended' | 'license_unproven' | 'hunt_shared' | 'hunt_comment' | 'community_request' | 'community_joined' | 'community_invitation' | 'answer_accepted' | 'message' | 'message_request' | 'moderation_notice' | 'appeal_decided' | 'picture_missing' | 'new_event' | 'event_changed' | 'event_canceled' | 'event_reminder' | 'correction_suggested' | 'correction_settled' | 'mention' | 'comment_mention' | 'content_held' | 'webhook_stopped' | 'menu_fetch_failed' | 'menu_fetch_stopped' | 'low_review' | 'draft_failed'
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
  hunt_id: string | null
  hunt_comment_id: string | null
  community_id: string | null
  conversation_id: string | null
  moderation_action_id: string | null
  reason: string | null
  event_id: string | null
  correction_id: string | null
  verification_id: string | null
  webhook_id: string | null
  menu_source_id: string | null
  draft_id: string | null
}

export interface Observations {
  id: string
  hunt_id: string
  trait_id: string
  plant_id: string
  run_id: string | null
  observed_on: string
  value_number: number | null
  value_date: string | null
  value_options: number[] | null
  media_id: string | null
  note: Generated<string>
  is_blind: Generated<boolean>
  observed_by: string | null
  corrects_id: string | null
  is_withdrawn: Generated<boolean>
  is_current: Generated<boolean>
  created_at: Generated<Timestamp>
  scorer: string | null
}

export interface PanelCards {
  id: string
  jar_id: string
  card_number: number
  token_hash: string | null
  answered_at: Timestamp | null
  taster: Generated<string>
  comment: Generated<string>
}

export interface PanelJars {
  id: string
  panel_id: string
  plant_id: string
  jar_name: string
  cure_days: number | null
  last_card: Generated<number>
}

export interface PanelScores {
  card_id: string
  trait_id: string
  value_number: number | null
  value_options: number[] | null
}

export interface PanelTraits {
  panel_id: string
  trait_id: string
  position: number
}

export interface Passkeys {
  id: string
  user_id: string
  credential_id: string
  public_key: string
  counter: number
  transports: string[]
  aaguid: string
  is_syncable: boolean
  is_synced: boolean
  name: string
  created_at: Timestamp
  last_used_at: Timestamp | null
}

export interface PaymentMessages {
  provider: string
  message_id: string
  type: string
  subscription_id: string | null
  received_at: Timestamp
  handled_at: Timestamp | null
  account_id: string | null
}

export interface Payments {
  id: string
  agreement_id: string
  provider: string
  provider_payment_id: string
  amount_cents: number
  currency: string
  status: 'paid' | 'failed' | 'refunded' | 'partially_refunded'
  refunded_cents: Generated<number>
  refund_reason: string | null
  receipt_number: string | null
  paid_at: Timestamp
  created_at: Generated<Timestamp>
  account_id: string | null
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

export interface PersonKeys {
  id: string
  user_id: string
  name: string
  scopes: string[]
  secret_hash: string
  secret_end: string
  created_at: Timestamp
  expires_at: Timestamp | null
  last_used_at: Timestamp | null
}

export interface PersonMutes {
  user_id: string
  muted_id: string
  created_at: Generated<Timestamp>
}

export interface Placements {
  run_id: string
  plant_id: string
  bench_row: number | null
  bench_column: number | null
}

export interface Plants {
  id: string
  hunt_id: string
  genotype_id: string
  kind: 'seed' | 'clone'
  copy: number
  cut_from_id: string | null
  code: string
  started_on: string | null
  cut_on: string | null
  rooted_on: string | null
  is_mother: Generated<boolean>
  notes: Generated<string>
  ended_on: string | null
  ended_how: 'culled' | 'harvested' | 'died' | 'given_away' | null
  ended_by_decision_id: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
}

export interface PollOptions {
  post_id: string
  position: number
  label: string
  votes_count: Generated<number>
}

export interface PollVotes {
  post_id: string
  user_id: string
  position: number
  created_at: Generated<Timestamp>
}

export interface Polls {
  post_id: string
  closes_at: Timestamp | null
  votes_count: Generated<number>
}

export interface PostDraftMedia {
  draft_id: string
  position: number
  media_id: string
}

export interface PostDrafts {
  id: string
  business_id: string | null
  author_id: string
  title: Generated<string>
  content: Generated<string>
  post_type: Generated<'update' | 'promotion' | 'educational' | 'product'>
  is_exclusive: Generated<boolean>
  source_image_url: string | null
  place: string | null
  tags: Generated<string[]>
  status: Generated<'draft' | 'scheduled' | 'failed'>
  publish_at: Timestamp | null
  error: string | null
  version: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  mentions: Generated<Json>
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
  post_type: Generated<'update' | 'promotion' | 'educational' | 'product' | 'grow_update' | 'question' | 'discussion' | 'poll'>
  is_exclusive: Generated<boolean>
  likes_count: Generated<number>
  comments_count: Generated<number>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  tags: Generated<string[]>
  place: string | null
  edited_at: Timestamp | null
  community_id: string | null
  pinned_at: Timestamp | null
  accepted_comment_id: string | null
  linked_hunt_id: string | null
  linked_business_id: string | null
  linked_product_id: string | null
  linked_strain: string | null
  moderation: 'held' | 'hidden' | 'removed' | null
}

export interface ProductOffers {
  location_id: string
  is_offered: Generated<boolean>
  price_cents: number | null
  is_available: boolean | null
  variant_id: string
  sale_price_cents: number | null
}

export interface ProductVariants {
  id: string
  product_id: string
  business_id: string
  position: number
  sku: string | null
  weight: number | null
  weight_unit: 'g' | 'oz' | 'mg' | 'ml' | 'piece' | null
  price_cents: number
  sale_price_cents: number | null
  member_price_cents: number | null
  stock: number | null
  is_available: Generated<boolean>
  batch: string | null
  external_id: string | null
  sale_starts_on: string | null
  sale_ends_on: string | null
}

export interface Products {
  id: string
  business_id: string
  name: string
  description: string | null
  category: 'Flower' | 'Pre-Rolls' | 'Vapes' | 'Concentrates' | 'Edibles' | 'Drinks' | 'Tinctures' | 'Topicals' | 'Seeds & Clones' | 'Accessories' | 'Other' | null
  is_available: Generated<boolean>
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
  strain: string | null
  brand: string | null
  thc: number | null
  cbd: number | null
  certificate_id: string | null
  image_id: string | null
  confirmed_at: Generated<Timestamp>
  version: Generated<number>
  search_text: Generated<string>
  category_rank: Computed<number>
  subcategory: string | null
  strain_type: 'indica' | 'sativa' | 'hybrid' | null
  thc_max: number | null
  thc_unit: 'percent' | 'mg' | null
  cbd_max: number | null
  cbd_unit: 'percent' | 'mg' | null
  low_price_cents: Generated<number>
  cents_per_gram: number | null
  is_on_sale: Generated<boolean>
  potency_order: Computed<number>
  moderation: 'held' | 'hidden' | 'removed' | null
  external_id: string | null
  eighth_cents: number | null
  search_start: Computed<string>
  sale_changes_at: Timestamp | null
  picture_url: string | null
}

export interface ProviderPlans {
  provider: 'test' | 'paypal' | 'invoice'
  key: string
  amount_cents: number
  currency: string
  provider_plan_id: string
  created_at: Generated<Timestamp>
}

export interface PushSubscriptions {
  id: string
  user_id: string
  endpoint: string
  p256dh: string
  auth: string
  created_at: Generated<Timestamp>
  session_id: string | null
  failing_since: Timestamp | null
  failed_at: Timestamp | null
}

export interface ReceiptCounters {
  year: number
  last: number
}

export interface RecentWords {
  subject_id: string
  user_id: string
  fingerprint: string
  is_new_writer: boolean
  said_at: Timestamp
}

export interface RecoveryCodes {
  user_id: string
  code_hash: string
  used_at: Timestamp | null
}

export interface Reports {
  id: string
  reporter_id: string
  subject: 'post' | 'comment' | 'review' | 'person' | 'business' | 'hunt' | 'hunt_comment' | 'community' | 'message' | 'event' | 'gallery_item' | 'product'
  subject_id: string
  reason: 'spam' | 'harassment' | 'illegal_sale' | 'minors' | 'health_claim' | 'false_information' | 'intimate_image' | 'other'
  details: Generated<string>
  created_at: Generated<Timestamp>
  resolved_at: Timestamp | null
  case_id: string | null
}

export interface ReviewMedia {
  review_id: string
  position: number
  media_id: string
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
  moderation: 'held' | 'hidden' | 'removed' | null
}

export interface Runs {
  id: string
  hunt_id: string
  name: string
  room: Generated<string>
  medium: Generated<string>
  light: Generated<string>
  started_on: string | null
  flowered_on: string | null
  ended_on: string | null
  check_genotype_id: string | null
  bench_rows: number | null
  bench_columns: number | null
  version: Generated<number>
  created_at: Generated<Timestamp>
}

export interface SavedPosts {
  user_id: string
  post_id: string
  created_at: Generated<Timestamp>
}

export interface SearchChanges {
  id: string
  kind: 'business' | 'product' | 'post' | 'person' | 'community'
  subject_id: string
}

export interface SearchDocuments {
  id: string
  kind: 'business' | 'product' | 'post' | 'person' | 'community' | 'strain'
  business_id: string | null
  product_id: string | null
  post_id: string | null
  person_id: string | null
  community_id: string | null
  folded: string
  words: string
  quality: number
  latitude: number | null
  longitude: number | null
}

export interface SearchState {
  id: Generated<boolean>
  is_pass_wanted: Generated<boolean>
  pass_kind: 'strain' | 'business' | 'community' | 'person' | 'product' | 'post' | null
  pass_after: string | null
  passed_at: Timestamp | null
}

export interface SearchWords {
  word: string
}

export interface SecondFactors {
  user_id: string
  secret: string
  confirmed_at: Timestamp | null
  last_step: Generated<number>
  created_at: Generated<Timestamp>
  next_secret: string | null
  wrong_count: Generated<number>
  wrong_since: Timestamp | null
}

export interface SeedLots {
  id: string
  hunt_id: string
  mother: Generated<string>
  father: Generated<string>
  mother_genotype_id: string | null
  father_genotype_id: string | null
  is_selfed: Generated<boolean>
  generation: Generated<string>
  breeder: Generated<string>
  seed_type: Generated<'regular' | 'feminized' | 'auto'>
  seed_count: Generated<number>
  source: Generated<string>
  version: Generated<number>
  created_at: Generated<Timestamp>
}

export interface SensorKeys {
  id: string
  hunt_id: string
  sensor_id: string
  secret_hash: string
  secret_end: string
  created_by: string
  created_at: Timestamp
  last_used_at: Timestamp | null
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
  second_factor_at: Timestamp | null
  last_used_at: Timestamp | null
  proven_at: Timestamp | null
}

export interface SubscriptionDays {
  business_id: string
  day: string
  began: Generated<number>
  ended: Generated<number>
}

export interface SubscriptionOffers {
  business_id: string
  price_cents: number | null
  currency: Generated<'USD' | 'CAD' | 'EUR'>
  title: string
  perks: Generated<string[]>
  updated_at: Generated<Timestamp>
}

export interface Subscriptions {
  user_id: string
  business_id: string
  created_at: Generated<Timestamp>
  is_paid: Generated<boolean>
}

export interface TeamInvitations {
  id: string
  business_id: string
  email: string
  role: 'manager' | 'staff'
  invited_by: string | null
  token_hash: string | null
  sent_count: Generated<number>
  created_at: Timestamp
  expires_at: Timestamp
  accepted_at: Timestamp | null
  accepted_by: string | null
  revoked_at: Timestamp | null
}

export interface TestProviderMessages {
  id: string
  body: string
  created_at: Timestamp
  delivered_at: Timestamp | null
}

export interface TestProviderPayments {
  id: string
  subscription_id: string
  amount_cents: number
  currency: string
  status: 'paid' | 'failed' | 'refunded'
  made_at: Timestamp
}

export interface TestProviderPlans {
  id: string
  key: string
  amount_cents: number
  currency: string
}

export interface TestProviderSubscriptions {
  id: string
  plan_id: string
  custom_id: string
  state: 'active' | 'suspended' | 'canceled'
  refuses_payments: Generated<boolean>
  failed_payments: Generated<number>
  failing_since: Timestamp | null
  payments_made: Generated<number>
  began_at: Timestamp
  last_paid_at: Timestamp | null
  next_payment_at: Timestamp | null
  paid_until: Timestamp | null
}

export interface Traits {
  id: string
  hunt_id: string
  name: string
  kind: 'ordinal' | 'number' | 'date' | 'category' | 'checks' | 'photo'
  source: Generated<'observation' | 'log_height' | 'log_rating' | 'rooting_days' | 'flower_days' | 'wet_weight' | 'dry_weight' | 'wash_yield' | 'lab'>
  analyte: string | null
  unit: Generated<string>
  options: Generated<Json>
  direction: Generated<'none' | 'max' | 'min' | 'target'>
  low: number | null
  high: number | null
  target: number | null
  weight: Generated<number>
  heritability: number | null
  from_stage: string | null
  to_stage: string | null
  is_expert: Generated<boolean>
  position: Generated<number>
  is_archived: Generated<boolean>
  version: Generated<number>
  created_at: Generated<Timestamp>
  must: Json | null
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
  profile_moderation: 'held' | 'hidden' | 'removed' | null
  muted_until: Timestamp | null
  suspended_until: Timestamp | null
  banned_at: Timestamp | null
  shows_read_marks: Generated<boolean>
  takes_messages_from: Generated<'everybody' | 'followed' | 'nobody'>
  region: string | null
  temperature_unit: 'C' | 'F' | null
  length_unit: 'cm' | 'in' | null
  mass_unit: 'g' | 'oz' | null
  distance_unit: 'km' | 'mi' | null
  leaves_at: Timestamp | null
  subscription_ends_at: Timestamp | null
  age_confirmed_at: Timestamp | null
  signed_up_again_at: Timestamp | null
}

export interface Verifications {
  id: string
  identifier: string
  value: string
  expires_at: Timestamp
  created_at: Generated<Timestamp>
  updated_at: Generated<Timestamp>
}

export interface VisitDays {
  business_id: string
  part: 'all' | 'source' | 'subject'
  day: string
  kind: 'page' | 'call' | 'directions' | 'site' | 'product' | 'post'
  key: Generated<string>
  visits: number
  visitors: number
}

export interface VisitEvents {
  at: Timestamp
  business_id: string
  kind: 'page' | 'call' | 'directions' | 'site' | 'product' | 'post'
  source: 'search' | 'map' | 'feed' | 'favorites' | 'share' | 'embed' | 'other'
  subject_id: string | null
  visitor: number
}

export interface VisitRollup {
  id: Generated<boolean>
  open_from: string | null
  counted_at: Timestamp | null
}

export interface VisitSalts {
  day: string
  salt: Buffer
}

export interface WebhookDeliveries {
  id: string
  webhook_id: string
  event: string
  event_key: string
  payload: string
  state: 'waiting' | 'delivered' | 'failed'
  tries: Generated<number>
  created_at: Timestamp
  next_try_at: Timestamp | null
  tried_at: Timestamp | null
  status: number | null
  error: string | null
}

export interface Webhooks {
  id: string
  business_id: string
  created_by: string | null
  url: string
  events: string[]
  sealed_secret: string
  old_sealed_secret: string | null
  old_secret_until: Timestamp | null
  created_at: Timestamp
  failing_since: Timestamp | null
  stopped_at: Timestamp | null
  stop_reason: 'by_team' | 'gone' | 'failing' | null
  sending_until: Timestamp | null
  older_sealed_secrets: Generated<string[]>
}

export interface DB {
  account_deletions: AccountDeletions
  agreements: Agreements
  audience_days: AudienceDays
  audit_head: AuditHead
  audit_log: AuditLog
  awaited_photos: AwaitedPhotos
  billing_mails: BillingMails
  blind_panels: BlindPanels
  business_blocks: BusinessBlocks
  business_follows: BusinessFollows
  business_group_members: BusinessGroupMembers
  business_groups: BusinessGroups
  business_key_tokens: BusinessKeyTokens
  business_keys: BusinessKeys
  business_members: BusinessMembers
  business_moves: BusinessMoves
  business_mutes: BusinessMutes
  business_payment_accounts: BusinessPaymentAccounts
  business_person_blocks: BusinessPersonBlocks
  business_redirects: BusinessRedirects
  business_social_links: BusinessSocialLinks
  business_trends: BusinessTrends
  businesses: Businesses
  checkouts: Checkouts
  claims: Claims
  climate_imports: ClimateImports
  climate_readings: ClimateReadings
  climate_sensors: ClimateSensors
  climate_targets: ClimateTargets
  comments: Comments
  communities: Communities
  community_bans: CommunityBans
  community_invitations: CommunityInvitations
  community_members: CommunityMembers
  community_mutes: CommunityMutes
  community_post_ranks: CommunityPostRanks
  community_requests: CommunityRequests
  community_tags: CommunityTags
  conversation_sides: ConversationSides
  conversations: Conversations
  correction_votes: CorrectionVotes
  corrections: Corrections
  credentials: Credentials
  data_exports: DataExports
  decisions: Decisions
  earlier_reports: EarlierReports
  email_changes: EmailChanges
  ended_follows: EndedFollows
  event_rsvps: EventRsvps
  events: Events
  favorites: Favorites
  gallery_items: GalleryItems
  genotypes: Genotypes
  grow_log_photos: GrowLogPhotos
  grow_log_versions: GrowLogVersions
  grow_logs: GrowLogs
  guide_progress: GuideProgress
  harvests: Harvests
  hidden_posts: HiddenPosts
  hunt_comments: HuntComments
  hunt_events: HuntEvents
  hunt_proofs: HuntProofs
  hunt_shares: HuntShares
  hunt_tasks: HuntTasks
  hunts: Hunts
  idempotency_keys: IdempotencyKeys
  lab_results: LabResults
  license_approvals: LicenseApprovals
  license_imports: LicenseImports
  license_register: LicenseRegister
  license_verifications: LicenseVerifications
  licenses: Licenses
  live_signals: LiveSignals
  location_hours: LocationHours
  location_special_days: LocationSpecialDays
  locations: Locations
  media: Media
  media_chunks: MediaChunks
  media_uses: MediaUses
  mentions: Mentions
  menu_announcements: MenuAnnouncements
  menu_file_mappings: MenuFileMappings
  menu_import_changes: MenuImportChanges
  menu_import_pieces: MenuImportPieces
  menu_imports: MenuImports
  menu_pictures: MenuPictures
  menu_settings: MenuSettings
  menu_sharing: MenuSharing
  menu_sources: MenuSources
  merged_reviews: MergedReviews
  message_deletions: MessageDeletions
  message_media: MessageMedia
  messages: Messages
  moderation_actions: ModerationActions
  moderation_appeals: ModerationAppeals
  moderation_cases: ModerationCases
  moderation_effects: ModerationEffects
  notification_actors: NotificationActors
  notification_choices: NotificationChoices
  notification_settings: NotificationSettings
  notifications: Notifications
  observations: Observations
  panel_cards: PanelCards
  panel_jars: PanelJars
  panel_scores: PanelScores
  panel_traits: PanelTraits
  passkeys: Passkeys
  payment_messages: PaymentMessages
  payments: Payments
  person_blocks: PersonBlocks
  person_follows: PersonFollows
  person_keys: PersonKeys
  person_mutes: PersonMutes
  placements: Placements
  plants: Plants
  poll_options: PollOptions
  poll_votes: PollVotes
  polls: Polls
  post_draft_media: PostDraftMedia
  post_drafts: PostDrafts
  post_likes: PostLikes
  post_media: PostMedia
  posts: Posts
  product_offers: ProductOffers
  product_variants: ProductVariants
  products: Products
  provider_plans: ProviderPlans
  push_subscriptions: PushSubscriptions
  receipt_counters: ReceiptCounters
  recent_words: RecentWords
  recovery_codes: RecoveryCodes
  reports: Reports
  review_media: ReviewMedia
  review_votes: ReviewVotes
  reviews: Reviews
  runs: Runs
  saved_posts: SavedPosts
  search_changes: SearchChanges
  search_documents: SearchDocuments
  search_state: SearchState
  search_words: SearchWords
  second_factors: SecondFactors
  seed_lots: SeedLots
  sensor_keys: SensorKeys
  sessions: Sessions
  subscription_days: SubscriptionDays
  subscription_offers: SubscriptionOffers
  subscriptions: Subscriptions
  team_invitations: TeamInvitations
  test_provider_messages: TestProviderMessages
  test_provider_payments: TestProviderPayments
  test_provider_plans: TestProviderPlans
  test_provider_subscriptions: TestProviderSubscriptions
  traits: Traits
  users: Users
  verifications: Verifications
  visit_days: VisitDays
  visit_events: VisitEvents
  visit_rollup: VisitRollup
  visit_salts: VisitSalts
  webhook_deliveries: WebhookDeliveries
  webhooks: Webhooks
}
