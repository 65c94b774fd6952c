import { ofNoOne, ofSearch, othersOnly, own, type Part, type Tables, withAccount, within } from './table-map.ts'

const businessId = own('business_id')
const ofBusiness = (file: string, leftOut: Part['leftOut'] = {}): Part => ({ file, whose: businessId, leftOut })
const ofItsBusiness = 'It’s in the folder of the business, for its owner.'
const staysWithBusiness = { stays: 'It belongs to the business.' } as const
const staysUntilTeamIsGone = { stays: 'It belongs to the business, and is deleted when the business’s whole team is gone.' } as const
const stays = { stays: ofNoOne } as const
const trade = 'A trade record that the law requires: amount, day and number, without a name.'
const ofTeam = 'A team member.'
const webhookSecrets = {
  sealed_secret: 'A secret.',
  old_sealed_secret: 'A secret.',
  older_sealed_secrets: 'Secrets.',
  old_secret_until: 'About a secret.',
}
const sourceSecrets = { sealed_secret: 'A secret.', auth: 'How the secret is sent.', content_hash: 'Identifies the last menu.' }
const locations = within('location_id', 'locations', businessId)
const variants = within('variant_id', 'product_variants', businessId)
const payments = within('agreement_id', 'agreements', own('payer_id'))

export const tradeTables: Tables = {
  businesses: {
    about: 'A business as shown in the directory.',
    exported: ofItsBusiness,
    ofBusiness: { file: 'business', whose: own('id'), leftOut: { search_text: ofSearch } },
    erased: { by: 'teams' },
  },
  business_members: {
    about: 'Businesses you belong to.',
    people: { user_id: 'row' },
    exported: { file: 'business-memberships', whose: own('user_id') },
    ofBusiness: ofBusiness('team'),
    erased: { by: 'teams' },
  },
  business_groups: {
    about: 'Groups of businesses you own.',
    people: { owner_id: 'row' },
    exported: { file: 'business-groups', whose: own('owner_id') },
    erased: withAccount,
  },
  business_group_members: {
    about: 'Your roles for groups of businesses.',
    people: { user_id: 'row' },
    exported: { file: 'business-group-roles', whose: own('user_id') },
    erased: withAccount,
  },
  business_person_blocks: {
    about: 'People a business has blocked.',
    people: { person_id: 'row', blocked_by: 'emptied' },
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('blocked-people', { blocked_by: ofTeam }),
    erased: withAccount,
  },
  business_keys: {
    about: 'A business’s API keys. They stop working when the person who created them leaves its team.',
    people: { created_by: 'row' },
    exported: { file: 'api-keys', whose: own('created_by'), leftOut: { secret_hash: 'A secret.', secret_end: 'Part of a secret.' } },
    ofBusiness: ofBusiness('api-keys', { secret_hash: 'A secret.', secret_end: 'Part of a secret.', created_by: ofTeam }),
    erased: withAccount,
  },
  business_key_tokens: {
    about: 'API key tokens, for an hour.',
    exported: 'Secrets that expire within an hour.',
    erased: { with: 'business_keys' },
  },
  webhooks: {
    about: 'Addresses of other systems that we notify about a business.',
    people: { created_by: 'emptied' },
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('webhooks', { ...webhookSecrets, created_by: ofTeam }),
    erased: staysUntilTeamIsGone,
  },
  webhook_deliveries: { about: 'What webhooks sent, for 30 days. Without personal data.', exported: ofNoOne, erased: stays },
  menu_sources: {
    about: 'The address that a menu is fetched from.',
    people: { created_by: 'emptied' },
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('menu-address', { ...sourceSecrets, created_by: ofTeam }),
    erased: staysUntilTeamIsGone,
  },
  team_invitations: {
    about: 'Team invitations you accepted. Those sent to your address are deleted with your account.',
    people: { invited_by: 'emptied', accepted_by: 'emptied' },
    exported: {
      file: 'team-invitations',
      whose: own('accepted_by'),
      leftOut: { token_hash: 'A secret.', invited_by: ofTeam },
    },
    ofBusiness: ofBusiness('team-invitations', { token_hash: 'A secret.', invited_by: ofTeam, accepted_by: ofTeam }),
    erased: { by: 'teams' },
  },
  claims: {
    about: 'Listings you claimed.',
    people: { user_id: 'row', decided_by: 'emptied' },
    exported: { file: 'claims', whose: own('user_id'), leftOut: { decided_by: 'A moderator.', code_number: 'Part of a code.' } },
    erased: withAccount,
  },
  corrections: {
    about: 'Changes you suggested to listings. The changes themselves remain.',
    people: { user_id: 'row', settled_by: 'emptied', undone_by: 'emptied' },
    exported: {
      file: 'corrections',
      whose: own('user_id'),
      leftOut: { settled_by: 'Another person.', undone_by: 'A moderator.', value_key: ofSearch, replaced: 'It is about the listing.' },
    },
    erased: withAccount,
  },
  business_redirects: {
    about: 'Addresses of businesses that were merged into others.',
    people: { merged_by: 'emptied' },
    exported: othersOnly,
    erased: stays,
  },
  merged_reviews: {
    about: 'Your reviews that were removed when two businesses were merged or when you joined a team.',
    people: { user_id: 'row' },
    exported: { file: 'merged-reviews', whose: own('user_id') },
    erased: withAccount,
  },
  correction_votes: {
    about: 'Your votes on suggested changes to listings.',
    people: { user_id: 'row' },
    exported: { file: 'correction-votes', whose: own('user_id') },
    erased: withAccount,
  },
  license_verifications: {
    about: 'A business’s license checks.',
    people: { requested_by: 'emptied' },
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('licenses', { requested_by: ofTeam, license_number_key: ofSearch }),
    erased: { stays: 'It belongs to the business. Its documents are deleted when the business’s whole team is gone.' },
  },
  license_approvals: {
    about: 'Licenses you approved as a moderator.',
    people: { user_id: 'row' },
    exported: { file: 'license-approvals', whose: own('user_id') },
    erased: withAccount,
  },
  licenses: { about: 'The public register of licenses.', exported: othersOnly, erased: stays },
  license_register: { about: 'A lock.', exported: ofNoOne, erased: stays },
  license_imports: { about: 'When the register was read.', exported: ofNoOne, erased: stays },
  locations: { about: 'A business’s locations.', exported: ofItsBusiness, ofBusiness: ofBusiness('locations'), erased: staysWithBusiness },
  business_moves: {
    about: 'A business’s planned move.',
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('move'),
    erased: staysWithBusiness,
  },
  location_hours: {
    about: 'Opening hours of a location.',
    exported: ofItsBusiness,
    ofBusiness: { file: 'location-hours', whose: locations },
    erased: staysWithBusiness,
  },
  location_special_days: {
    about: 'Days with special hours.',
    exported: ofItsBusiness,
    ofBusiness: { file: 'location-special-days', whose: locations },
    erased: staysWithBusiness,
  },
  events: {
    about: 'A business’s events.',
    people: { created_by: 'emptied' },
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('events', { created_by: ofTeam }),
    erased: staysWithBusiness,
  },
  gallery_items: {
    about: 'Photos and the video on a business’s page.',
    people: { added_by: 'emptied' },
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('gallery', { added_by: ofTeam }),
    erased: staysWithBusiness,
  },
  business_social_links: {
    about: 'Social pages that a business’s page links to.',
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('social-links'),
    erased: staysWithBusiness,
  },
  event_rsvps: {
    about: 'Events you are going to.',
    people: { user_id: 'row' },
    exported: { file: 'event-rsvps', whose: own('user_id') },
    erased: { by: 'rsvps' },
  },
  products: {
    about: 'A business’s menu.',
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('menu', { search_text: ofSearch, category_rank: ofSearch, potency_order: ofSearch }),
    erased: staysWithBusiness,
  },
  product_variants: {
    about: 'Menu items’ sizes, with their prices and stock.',
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('menu-variants'),
    erased: staysWithBusiness,
  },
  product_offers: {
    about: 'Locations where an item has a different price or is unavailable.',
    exported: ofItsBusiness,
    ofBusiness: { file: 'menu-offers', whose: variants },
    erased: staysWithBusiness,
  },
  menu_settings: {
    about: 'A menu’s currency and tax.',
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('menu-settings'),
    erased: staysWithBusiness,
  },
  menu_sharing: {
    about: 'Where a menu is shown on other sites.',
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('menu-sharing', { feed_token: 'A secret.' }),
    erased: staysWithBusiness,
  },
  menu_announcements: { about: 'When menu news was sent.', exported: ofNoOne, erased: stays },
  menu_imports: {
    about: 'Files that a menu was imported from.',
    people: { user_id: 'emptied' },
    exported: { file: 'menu-imports', whose: own('user_id') },
    ofBusiness: ofBusiness('menu-imports', { user_id: ofTeam }),
    erased: staysWithBusiness,
  },
  menu_import_pieces: { about: 'A file being uploaded, for two days.', exported: 'Deleted after two days.', erased: staysWithBusiness },
  menu_import_changes: { about: 'What an import changed, for 30 days.', exported: 'Deleted after 30 days.', erased: staysWithBusiness },
  menu_file_mappings: {
    about: 'How columns of menu files are read.',
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('menu-file-mappings'),
    erased: staysWithBusiness,
  },
  menu_pictures: {
    about: 'Addresses of menu pictures, and what was found there.',
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('menu-pictures', { picture_id: 'Listed with the menu.', content_hash: 'Identifies the picture.' }),
    erased: staysWithBusiness,
  },
  subscription_offers: {
    about: 'The price and benefits of subscribing to a business.',
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('subscription-offer'),
    erased: staysWithBusiness,
  },
  subscription_days: {
    about: 'Daily counts of subscriptions.',
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('subscriptions-by-day'),
    erased: stays,
  },
  audience_days: {
    about: 'Daily counts of followers, subscribers and favorites.',
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('audience-by-day'),
    erased: stays,
  },
  // Single rows could be about fewer than five people; the page and its CSV combine small groups.
  visit_days: { about: 'Daily counts of visits.', exported: 'Figures are combined before they are shown: see Insights.', erased: stays },
  visit_events: { about: 'A visit, with a visitor number that changes every day.', exported: 'It doesn’t identify anyone.', erased: stays },
  visit_events_default: {
    about: 'A visit, with a visitor number that changes every day.',
    exported: 'It doesn’t identify anyone.',
    erased: stays,
  },
  visit_rollup: { about: 'The progress of counting visits.', exported: ofNoOne, erased: stays },
  visit_salts: { about: 'The day’s secret numbers, which are then discarded.', exported: ofNoOne, erased: stays },
  business_trends: { about: 'What is popular right now.', exported: ofNoOne, erased: stays },
  business_payment_accounts: {
    about: 'Where a business is paid.',
    people: { connected_by: 'emptied' },
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('payment-accounts', { sealed_secret: 'A secret.', webhook_id: 'A secret.', connected_by: ofTeam }),
    erased: { by: 'payment accounts' },
  },
  agreements: {
    about: 'What you bought.',
    people: { payer_id: 'emptied' },
    exported: {
      file: 'purchases',
      whose: own('payer_id'),
      leftOut: { asked_ticket: 'Used only by the server.', applied_ticket: 'Used only by the server.' },
    },
    erased: { by: 'purchases' },
  },
  payments: { about: 'What you paid.', exported: { file: 'payments', whose: payments }, erased: { stays: trade } },
  billing_mails: {
    about: 'Emails about your payments.',
    exported: { file: 'billing-mails', whose: payments },
    erased: { stays: trade },
  },
  checkouts: {
    about: 'Purchases you began.',
    people: { user_id: 'row' },
    exported: { file: 'checkouts', whose: own('user_id') },
    erased: withAccount,
  },
  payment_messages: { about: 'Messages received from a payment provider.', exported: ofNoOne, erased: { stays: trade } },
  provider_plans: { about: 'Plans at a payment provider.', exported: ofNoOne, erased: stays },
  receipt_counters: { about: 'The latest receipt number.', exported: ofNoOne, erased: stays },
  test_provider_messages: { about: 'What the test provider sent.', exported: ofNoOne, erased: stays },
  test_provider_payments: { about: 'Payments from the test provider.', exported: ofNoOne, erased: stays },
  test_provider_plans: { about: 'Plans from the test provider.', exported: ofNoOne, erased: stays },
  test_provider_subscriptions: { about: 'Subscriptions from the test provider.', exported: ofNoOne, erased: stays },
}
