import { either, own, type Tables, withAccount } from './table-map.ts'

const secret = 'A secret.'
const lock = 'It works like a password.'

export const accountTables: Tables = {
  users: {
    about: 'Your account and profile.',
    people: { id: 'row' },
    exported: { file: 'account', whose: own('id') },
    erased: { with: 'users' },
  },
  sessions: {
    about: 'Where you are signed in.',
    people: { user_id: 'row' },
    exported: { file: 'sessions', whose: own('user_id'), leftOut: { token: secret } },
    erased: withAccount,
  },
  credentials: {
    about: 'Your password and connected account.',
    people: { user_id: 'row' },
    exported: {
      file: 'sign-in-methods',
      whose: own('user_id'),
      leftOut: { password: secret, access_token: secret, refresh_token: secret, id_token: secret },
    },
    erased: withAccount,
  },
  passkeys: {
    about: 'Your passkeys.',
    people: { user_id: 'row' },
    exported: { file: 'passkeys', whose: own('user_id'), leftOut: { credential_id: lock, public_key: lock, counter: lock } },
    erased: withAccount,
  },
  person_keys: {
    about: 'Your API keys.',
    people: { user_id: 'row' },
    exported: { file: 'own-api-keys', whose: own('user_id'), leftOut: { secret_hash: secret, secret_end: 'Part of a secret.' } },
    erased: withAccount,
  },
  email_changes: {
    about: 'Email addresses you changed to, while the old one can still undo the change.',
    people: { user_id: 'row' },
    exported: { file: 'email-changes', whose: own('user_id') },
    erased: withAccount,
  },
  second_factors: {
    about: 'Your authenticator app.',
    people: { user_id: 'row' },
    exported: { file: 'second-factor', whose: own('user_id'), leftOut: { secret, next_secret: secret, last_step: secret } },
    erased: withAccount,
  },
  recovery_codes: {
    about: 'Your recovery codes: when each was used.',
    people: { user_id: 'row' },
    exported: { file: 'recovery-codes', whose: own('user_id'), leftOut: { code_hash: secret } },
    erased: withAccount,
  },
  verifications: {
    about: 'Challenges and hashes that emailed links and passkeys are checked against, for at most eight days.',
    exported: secret,
    erased: { by: 'account-parts' },
  },
  account_deletions: {
    about: 'Your request to delete your account.',
    people: { user_id: 'row' },
    exported: { file: 'account-deletion', whose: own('user_id') },
    erased: withAccount,
  },
  data_exports: {
    about: 'Exports like this one.',
    people: { user_id: 'row' },
    exported: { file: 'data-exports', whose: own('user_id') },
    erased: { by: 'exports' },
  },
  idempotency_keys: {
    about: 'Responses to your requests, stored for a day so a repeated request has no effect.',
    people: { user_id: 'row' },
    exported: 'Copies of data stored elsewhere.',
    erased: withAccount,
  },
  rate_limits: {
    about: 'How often something was requested within the hour.',
    exported: 'Counts from the last hour.',
    erased: { by: 'traces' },
  },
  live_signals: {
    about: 'Messages between our servers, for a minute.',
    exported: 'Deleted after a minute.',
    erased: { by: 'traces' },
  },
  push_subscriptions: {
    about: 'Browsers that you let us send notifications to.',
    people: { user_id: 'row' },
    exported: { file: 'push-subscriptions', whose: own('user_id'), leftOut: { endpoint: lock, p256dh: lock, auth: secret } },
    erased: withAccount,
  },
  notification_settings: {
    about: 'When and how you want to be notified.',
    people: { user_id: 'row' },
    exported: { file: 'notification-settings', whose: own('user_id') },
    erased: withAccount,
  },
  notification_choices: {
    about: 'What you want to be notified of.',
    people: { user_id: 'row' },
    exported: { file: 'notification-choices', whose: own('user_id') },
    erased: withAccount,
  },
  notifications: {
    about: 'What you were notified of.',
    people: { user_id: 'row', actor_id: 'emptied' },
    exported: {
      file: 'notifications',
      whose: own('user_id'),
      leftOut: { actor_id: 'Someone else.', group_key: 'Used only by the server.', webhook_id: 'Used only by the server.' },
    },
    erased: { by: 'news' },
  },
  notification_actors: {
    about: 'The people a notification is about.',
    people: { user_id: 'row' },
    exported: 'Part of what others were notified of.',
    erased: { by: 'news' },
  },
  guide_progress: {
    about: 'What you marked in the guide.',
    people: { user_id: 'row' },
    exported: { file: 'guide', whose: own('user_id') },
    erased: withAccount,
  },
  recent_words: {
    about: 'Fingerprints of what you wrote within a day, to find repeated text.',
    people: { user_id: 'row' },
    exported: 'It can’t be turned back into text.',
    erased: withAccount,
  },
  person_follows: {
    about: 'People you follow, and people who follow you.',
    people: { follower_id: 'row', person_id: 'row' },
    exported: { file: 'follows', whose: either('follower_id', 'person_id') },
    erased: { by: 'follows' },
  },
  person_blocks: {
    about: 'People you blocked.',
    people: { blocker_id: 'row', blocked_id: 'row' },
    exported: { file: 'blocked-people', whose: own('blocker_id') },
    erased: withAccount,
  },
  business_follows: {
    about: 'Businesses you follow.',
    people: { user_id: 'row' },
    exported: { file: 'followed-businesses', whose: own('user_id') },
    erased: { by: 'follows' },
  },
  ended_follows: {
    about: 'Businesses you unfollowed in the last two weeks.',
    people: { user_id: 'row' },
    exported: { file: 'unfollowed-businesses', whose: own('user_id') },
    erased: withAccount,
  },
  business_blocks: {
    about: 'Businesses you blocked.',
    people: { user_id: 'row' },
    exported: { file: 'blocked-businesses', whose: own('user_id') },
    erased: withAccount,
  },
  person_mutes: {
    about: 'People you muted.',
    people: { user_id: 'row', muted_id: 'row' },
    exported: { file: 'muted-people', whose: own('user_id') },
    erased: withAccount,
  },
  business_mutes: {
    about: 'Businesses you muted.',
    people: { user_id: 'row' },
    exported: { file: 'muted-businesses', whose: own('user_id') },
    erased: withAccount,
  },
  favorites: {
    about: 'Your favorite businesses.',
    people: { user_id: 'row' },
    exported: { file: 'favorites', whose: own('user_id') },
    erased: withAccount,
  },
  subscriptions: {
    about: 'Businesses you subscribe to.',
    people: { user_id: 'row' },
    exported: { file: 'subscriptions', whose: own('user_id') },
    erased: { by: 'subscriptions' },
  },
}
