import { expect, test } from 'vitest'
import * as z from 'zod/v4/core'
import type { Endpoint } from '../contracts/endpoint.ts'
import { endpoints } from '../contracts/index.ts'

/**
 * Calls that carry words others read say `speaks`: they are refused to the muted and paced by trust. Each call that takes free text is
 * in one of these lists; a new one fails until somebody has decided.
 */
const speaking = [
  'POST /api/posts',
  'PATCH /api/posts/:id',
  'POST /api/posts/:id/comments',
  'PATCH /api/comments/:id',
  'PUT /api/businesses/:id/rating',
  'PUT /api/ratings/:id/reply',
  'POST /api/pheno-hunts/:id/comments',
  'PATCH /api/hunt-comments/:id',
  'POST /api/community-posts',
  'POST /api/communities',
  'PATCH /api/communities/:id',
  'POST /api/conversations/:id/messages',
  'POST /api/user/profile',
  'PATCH /api/user/settings/profile',
]

/** Their words were written before, by a call that nobody else reads. */
const publishing = ['POST /api/drafts/:id/publish', 'PUT /api/drafts/:id/schedule']

const silent: Record<string, readonly string[]> = {
  'their own account, which they keep while they are muted': [
    'POST /api/login',
    'POST /api/register',
    'POST /api/auth/password-resets',
    'POST /api/auth/password-resets/passkeys',
    'POST /api/auth/email-verifications',
    'PUT /api/notification-preferences',
    'POST /api/user/deletion',
    'POST /api/user/exports/:id/link',
    'PUT /api/push/subscription',
    'POST /api/push/subscription/removals',
    'POST /api/second-factor/begin',
    'POST /api/second-factor/confirm',
    'POST /api/second-factor/recovery-codes',
    'POST /api/second-factor/show',
    'POST /api/second-factor/turn-off',
    'POST /api/ai/onboarding',
    'POST /api/ai/questions',
    'POST /api/sign-in/password',
    'POST /api/sign-in/email',
    'POST /api/sign-in/passkeys/options',
    'POST /api/sign-in/passkeys',
    'PATCH /api/sign-in/passkeys/:id',
    'POST /api/sign-in/passkeys/:id/remove',
    'POST /api/sign-in/proof',
    'POST /api/sign-in/openid/connect',
    'POST /api/sign-in/openid/disconnect',
    'POST /api/auth/email-changes',
    'POST /api/auth/email-change-undos',
    'POST /api/auth/passkey',
  ],
  'read by moderators, admins or support alone': [
    'POST /api/reports',
    'POST /api/support-requests',
    'POST /api/moderation/actions/:id/appeal',
    'POST /api/claims',
    'POST /api/businesses/:id/verification',
    'POST /api/communities/:id/join',
  ],
  'what moderators and admins write in their office': [
    'POST /api/moderation/appeals/:id/decide',
    'POST /api/moderation/cases/:id/decide',
    'POST /api/moderation/actions/:id/undo',
    'POST /api/claims/:id/reject',
    'POST /api/verifications/:id/reject',
    'POST /api/admin/payments/:id/refunds',
    'POST /api/admin/invoice-payments',
    'PUT /api/admin/businesses/:id/name',
  ],
  'what a business is and sells, in its own name: its license answers for it': [
    'POST /api/businesses',
    'POST /api/businesses/setups',
    'PATCH /api/businesses/:id',
    'POST /api/businesses/:id/locations',
    'PUT /api/businesses/:id/locations/:locationId',
    'POST /api/businesses/:id/menu-imports',
    'POST /api/businesses/:id/menu-items',
    'PATCH /api/businesses/:id/menu-items',
    'PUT /api/businesses/:id/subscription-offer',
    'PUT /api/businesses/:id/payment-accounts/invoice',
    'POST /api/businesses/:id/invoice-payments',
    'POST /api/billing/checkouts',
    'POST /api/billing/checkouts/:id/approval',
  ],
  'the records of somebody’s own growing, which no mute takes from them': [
    'POST /api/pheno-hunts',
    'PATCH /api/pheno-hunts/:id',
    'POST /api/hunt-imports',
    'POST /api/pheno-hunts/:id/decisions',
    'POST /api/grow-logs',
    'PATCH /api/grow-logs/:id',
    'POST /api/grow-logs/batch',
    'PATCH /api/grow-tasks/:id',
    'POST /api/pheno-hunts/:id/tasks',
    'POST /api/pheno-hunts/:id/traits',
    'PATCH /api/traits/:id',
    'POST /api/pheno-hunts/:id/observations',
    'POST /api/pheno-hunts/:id/harvests',
    'PATCH /api/harvests/:id',
    'POST /api/pheno-hunts/:id/lab-results',
    'PATCH /api/lab-results/:id',
    'PATCH /api/genotypes/:id',
    'PATCH /api/plants/:id',
    'POST /api/pheno-hunts/:id/runs',
    'PATCH /api/runs/:id',
    'POST /api/pheno-hunts/:id/seed-lots',
    'PATCH /api/seed-lots/:id',
    'POST /api/pheno-hunts/:id/blind-panels',
    'PATCH /api/blind-panels/:id',
    'POST /api/taste/:token',
    'POST /api/pheno-hunts/:id/climate/imports',
  ],
  'nobody reads it before it is published or sent': [
    'POST /api/drafts',
    'PATCH /api/drafts/:id',
    'POST /api/media',
    'PATCH /api/media/:id',
  ],
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** Whether a body has a field for words: a string of no closed list, format or pattern. */
function takesWords({ method, body }: Endpoint): boolean {
  if (!body || method === 'GET' || method === 'DELETE') return false
  return hasWords(z.toJSONSchema(body, { unrepresentable: 'any', io: 'input' }))
}

function hasWords(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasWords)
  if (typeof schema !== 'object' || schema === null) return false
  const { type, enum: values, const: only, format, pattern } = schema as Record<string, unknown>
  if (type === 'string' && !values && !only && !format && !pattern) return true
  return Object.entries(schema).some(([key, value]) => key !== 'enum' && hasWords(value))
}

test('every call whose words others read says so, and every call that takes words is on a list', () => {
  const taking = endpoints.filter(takesWords).map(nameOf)
  expect(taking.toSorted()).toEqual([...speaking, ...Object.values(silent).flat()].toSorted())
  const says = endpoints.filter((endpoint) => endpoint.speaks).map(nameOf)
  expect(says.toSorted()).toEqual([...speaking, ...publishing].toSorted())
})
