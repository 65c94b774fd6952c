const unknownPasskey = {
  id: 'AA',
  rawId: 'AA',
  type: 'public-key',
  response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' },
}

/** Requests to sign-in and admin calls, by a person who isn't an admin and doesn't know the password. */
export const securityBodies: Record<string, () => object> = {
  'POST /api/second-factor/begin': () => ({ password: 'not the password' }),
  'POST /api/second-factor/confirm': () => ({ code: '000000' }),
  'POST /api/second-factor/show': () => ({ code: '000000' }),
  'POST /api/second-factor/recovery-codes': () => ({ code: '000000' }),
  'POST /api/second-factor/turn-off': () => ({ password: 'not the password', code: '000000' }),
  'POST /api/sign-in/password': () => ({ currentPassword: 'not the password', password: 'eleven small lamps at night' }),
  'POST /api/sign-in/email': () => ({ email: 'other@example.com', password: 'not the password' }),
  'POST /api/sign-in/passkeys/options': () => ({ password: 'not the password' }),
  'POST /api/sign-in/passkeys': () => ({
    name: 'Phone',
    answer: { id: 'AA', rawId: 'AA', type: 'public-key', response: { clientDataJSON: 'AA', attestationObject: 'AA' } },
  }),
  'POST /api/sign-in/keys': () => ({ name: 'Tablet', scopes: ['hunts:read'], password: 'not the password' }),
  'PATCH /api/sign-in/passkeys/:id': () => ({ name: 'Phone' }),
  'POST /api/sign-in/passkeys/:id/remove': () => ({ password: 'not the password' }),
  'POST /api/sign-in/proof': () => ({ answer: unknownPasskey }),
  'POST /api/sign-in/openid/connect': () => ({ password: 'not the password' }),
  'POST /api/sign-in/openid/disconnect': () => ({ password: 'not the password' }),
  'POST /api/auth/email-changes': () => ({ token: 'unknown' }),
  'POST /api/auth/email-change-undos': () => ({ token: 'unknown' }),
  'POST /api/auth/passkey': () => ({ answer: unknownPasskey }),
  'PUT /api/admin/people/:id/role': () => ({ role: 'admin' }),
  'POST /api/admin/jobs/retry': () => ({}),
}
