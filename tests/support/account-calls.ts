/** Request bodies for calls about the caller's own account. @param mediaId of someone else's picture */
export const accountBodies = (mediaId: () => string): Record<string, () => object> => ({
  'POST /api/register': () => ({}),
  'POST /api/login': () => ({ email: 'no-one@example.com', password: 'nothing at all' }),
  'POST /api/auth/password-reset-requests': () => ({ email: 'no-one@example.com' }),
  'POST /api/auth/password-resets': () => ({ token: 'none', password: 'seven green terraces' }),
  'POST /api/auth/password-resets/passkeys': () => ({ token: 'none' }),
  'POST /api/auth/email-verification-requests': () => ({ email: 'no-one@example.com' }),
  'POST /api/auth/email-verifications': () => ({ token: 'none' }),
  // Invalid on purpose: later checks need these accounts.
  'POST /api/user/deletion': () => ({ password: 'a wrong one', confirmation: 'no' }),
  'POST /api/user/exports/:id/link': () => ({ password: 'a wrong one' }),
  'POST /api/user/profile': () => ({ firstName: 'A', lastName: 'B', location: 'Denver, CO' }),
  'PATCH /api/user/settings/profile': () => ({ bio: 'Hello', imageId: mediaId() }),
  'PATCH /api/user/settings/privacy': () => ({ isProfilePublic: true }),
  'PATCH /api/user/preferences': () => ({ region: 'DE', temperature: 'C', length: 'in', mass: null, distance: 'km' }),
})
