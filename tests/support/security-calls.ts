/** What somebody who is no admin and knows no password would send to the calls about signing in and to those of admins. */
export const securityBodies: Record<string, () => object> = {
  'POST /api/second-factor/begin': () => ({ password: 'not the password' }),
  'POST /api/second-factor/confirm': () => ({ code: '000000' }),
  'POST /api/second-factor/show': () => ({ code: '000000' }),
  'POST /api/second-factor/recovery-codes': () => ({ code: '000000' }),
  'POST /api/second-factor/turn-off': () => ({ password: 'not the password', code: '000000' }),
  'PUT /api/admin/people/:id/role': () => ({ role: 'admin' }),
  'POST /api/admin/jobs/retry': () => ({}),
}
