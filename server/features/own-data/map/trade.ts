import { nobodys, ofSearch, othersOnly, own, type Part, type Tables, withAccount, within } from './table-map.ts'

const businessId = own('business_id')
/** Of a business, as its owner takes it along. */
const ofBusiness = (file: string, leftOut: Part['leftOut'] = {}): Part => ({ file, whose: businessId, leftOut })
const ofItsBusiness = 'It is in the folder of the business, for its owner.'
const businesss = { stays: 'It is the business’s.' } as const
const stays = { stays: nobodys } as const
const trade = 'A record of trade that the law wants kept: amount, day and number, without a name.'
const ofTeam = 'Somebody of the team.'
const locations = within('location_id', 'locations', businessId)
const products = within('product_id', 'products', businessId)
const payments = within('agreement_id', 'agreements', own('payer_id'))

/** Businesses and what is paid. */
export const tradeTables: Tables = {
  businesses: {
    about: 'A business as it stands in the directory.',
    exported: ofItsBusiness,
    ofBusiness: { file: 'business', whose: own('id'), leftOut: { search_text: ofSearch } },
    erased: { by: 'listings' },
  },
  business_members: {
    about: 'Businesses you belong to.',
    people: { user_id: 'row' },
    exported: { file: 'business-memberships', whose: own('user_id') },
    ofBusiness: ofBusiness('team'),
    erased: { by: 'teams' },
  },
  business_person_blocks: {
    about: 'Whom a business has blocked.',
    people: { person_id: 'row', blocked_by: 'emptied' },
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('blocked-people', { blocked_by: ofTeam }),
    erased: withAccount,
  },
  team_invitations: {
    about: 'Invitations into the team of a business that you accepted. Those to your address go with your account.',
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
  license_verifications: {
    about: 'That a business had its license checked.',
    people: { requested_by: 'emptied' },
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('licenses', { requested_by: ofTeam, license_number_key: ofSearch }),
    erased: businesss,
  },
  license_approvals: {
    about: 'Licenses you approved as a moderator.',
    people: { user_id: 'row' },
    exported: { file: 'license-approvals', whose: own('user_id') },
    erased: withAccount,
  },
  licenses: { about: 'The public register of licenses.', exported: othersOnly, erased: stays },
  license_register: { about: 'A lock.', exported: nobodys, erased: stays },
  license_imports: { about: 'When the register was read.', exported: nobodys, erased: stays },
  locations: { about: 'Locations of a business.', exported: ofItsBusiness, ofBusiness: ofBusiness('locations'), erased: businesss },
  location_hours: {
    about: 'Its hours.',
    exported: ofItsBusiness,
    ofBusiness: { file: 'location-hours', whose: locations },
    erased: businesss,
  },
  location_special_days: {
    about: 'Days with other hours.',
    exported: ofItsBusiness,
    ofBusiness: { file: 'location-special-days', whose: locations },
    erased: businesss,
  },
  events: {
    about: 'Events of a business.',
    people: { created_by: 'emptied' },
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('events', { created_by: ofTeam }),
    erased: businesss,
  },
  event_rsvps: {
    about: 'Events you are going to.',
    people: { user_id: 'row' },
    exported: { file: 'event-rsvps', whose: own('user_id') },
    erased: { by: 'rsvps' },
  },
  products: {
    about: 'The menu of a business.',
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('menu', { search_text: ofSearch, category_rank: ofSearch }),
    erased: businesss,
  },
  product_offers: {
    about: 'Where an item has another price or is not to be had.',
    exported: ofItsBusiness,
    ofBusiness: { file: 'menu-offers', whose: products },
    erased: businesss,
  },
  menu_settings: {
    about: 'Currency and tax of a menu.',
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('menu-settings'),
    erased: businesss,
  },
  menu_sharing: {
    about: 'Where a menu is shown outside.',
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('menu-sharing', { feed_token: 'A secret.' }),
    erased: businesss,
  },
  menu_announcements: { about: 'When news of a menu went out.', exported: nobodys, erased: stays },
  menu_imports: {
    about: 'Files that a menu was imported from.',
    people: { user_id: 'emptied' },
    exported: { file: 'menu-imports', whose: own('user_id') },
    ofBusiness: ofBusiness('menu-imports', { user_id: ofTeam }),
    erased: businesss,
  },
  menu_import_pieces: { about: 'A file that is on its way, for two days.', exported: 'Gone after two days.', erased: businesss },
  menu_import_changes: { about: 'What an import changed, for 30 days.', exported: 'Gone after 30 days.', erased: businesss },
  subscription_offers: {
    about: 'What subscribing to a business costs and brings.',
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('subscription-offer'),
    erased: businesss,
  },
  subscription_days: {
    about: 'Subscriptions of a day, counted.',
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('subscriptions-by-day'),
    erased: stays,
  },
  audience_days: {
    about: 'Followers, subscribers and saves of a day, counted.',
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('audience-by-day'),
    erased: stays,
  },
  // As they stand in the table they could be about fewer than five: the page and its CSV join small groups.
  visit_days: { about: 'Visits of a day, counted.', exported: 'Figures are joined before they are shown: see Insights.', erased: stays },
  visit_events: { about: 'A visit, by a number that is another one the next day.', exported: 'Nobody can be found in it.', erased: stays },
  visit_events_default: { about: 'The same.', exported: 'Nobody can be found in it.', erased: stays },
  visit_rollup: { about: 'How far visits are counted.', exported: nobodys, erased: stays },
  visit_salts: { about: 'Numbers of the day that are thrown away.', exported: nobodys, erased: stays },
  business_trends: { about: 'What is popular at the moment.', exported: nobodys, erased: stays },
  business_payment_accounts: {
    about: 'Where a business is paid.',
    people: { connected_by: 'emptied' },
    exported: ofItsBusiness,
    ofBusiness: ofBusiness('payment-accounts', { sealed_secret: 'A secret.', webhook_id: 'A secret.', connected_by: ofTeam }),
    erased: businesss,
  },
  agreements: {
    about: 'What you bought.',
    people: { payer_id: 'emptied' },
    exported: {
      file: 'purchases',
      whose: own('payer_id'),
      leftOut: { asked_ticket: 'For the server alone.', applied_ticket: 'For the server alone.' },
    },
    erased: { by: 'purchases' },
  },
  payments: { about: 'What you paid.', exported: { file: 'payments', whose: payments }, erased: { stays: trade } },
  billing_mails: {
    about: 'Mails about your payments.',
    exported: { file: 'billing-mails', whose: payments },
    erased: { stays: trade },
  },
  checkouts: {
    about: 'Purchases you began.',
    people: { user_id: 'row' },
    exported: { file: 'checkouts', whose: own('user_id') },
    erased: withAccount,
  },
  payment_messages: { about: 'That a payment provider sent a message.', exported: nobodys, erased: { stays: trade } },
  provider_plans: { about: 'Plans at a payment provider.', exported: nobodys, erased: stays },
  receipt_counters: { about: 'The last number of a receipt.', exported: nobodys, erased: stays },
  test_provider_messages: { about: 'What the test provider sent.', exported: nobodys, erased: stays },
  test_provider_payments: { about: 'Payments of the test provider.', exported: nobodys, erased: stays },
  test_provider_plans: { about: 'Plans of the test provider.', exported: nobodys, erased: stays },
  test_provider_subscriptions: { about: 'Subscriptions of the test provider.', exported: nobodys, erased: stays },
}
