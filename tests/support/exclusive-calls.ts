import { newId } from '#server/kernel/ids.ts'
import { accountBodies } from './account-calls.ts'
import { growingBodies } from './growing-calls.ts'
import { guideBodies } from './guide-calls.ts'
import { defaultMessageSettings } from './messages.ts'
import { securityBodies } from './security-calls.ts'

/** Lists for tests/exclusive-posts.integration.test.ts: add each new call with a body, and each route outside the contract. */
export type ExclusivePost = {
  businessId: string
  ownerId: string
  postId: string
  commentId: string
  mediaId: string
  draftMediaId: string
  now: Date
}

const eventDetails = () => ({
  title: 'Stolen',
  startsLocal: '2027-06-01T10:00',
  endsLocal: '2027-06-01T12:00',
  timeZone: 'America/Denver',
  city: 'Denver, CO',
})

/** An ID that never exists. */
export const nothing = '0190a1b2-0000-7000-8000-000000000000'

/** An outsider's request bodies. A call with a body that is missing here fails the test. */
export function exclusiveBodies(of: () => ExclusivePost): Record<string, () => object> {
  return {
    ...accountBodies(() => of().mediaId),
    ...securityBodies,
    ...guideBodies,
    'POST /api/businesses': () => ({ businessName: 'Other', location: 'Denver, CO' }),
    'POST /api/businesses/setups': () => ({ businessName: 'Other' }),
    'PATCH /api/businesses/:id': () => ({ description: 'Changed', imageId: of().mediaId }),
    'PUT /api/businesses/:id/gallery': () => ({ items: [{ mediaId: of().mediaId, alt: 'Stolen' }], version: '' }),
    'PATCH /api/businesses/:id/social-links': () => ({ instagram: 'stolen' }),
    'POST /api/businesses/:id/team/invitations': () => ({ email: 'no-one@example.com', role: 'staff' }),
    'PATCH /api/businesses/:id/team/members/:userId': () => ({ role: 'staff' }),
    'POST /api/businesses/:id/team/transfer': () => ({ userId: of().ownerId }),
    'POST /api/claims': () => ({ method: 'review', businessId: of().businessId, statement: 'Mine' }),
    'POST /api/claims/:id/code': () => ({ code: '000000' }),
    'POST /api/claims/:id/reject': () => ({ reason: 'None' }),
    'POST /api/businesses/:id/visits': () => ({ visits: [{ kind: 'post', subject: of().postId }] }),
    'POST /api/favorites': () => ({ businessId: of().businessId }),
    'POST /api/businesses/:id/verification': () => ({ licenseNumber: '1', state: 'CO', licenseName: 'A', businessType: 'farm' }),
    'POST /api/verifications/:id/proof': () => ({ method: 'phone' }),
    'POST /api/verifications/:id/reject': () => ({ reason: 'None' }),
    // Subscribers may read it.
    'POST /api/subscriptions': () => ({ businessId: nothing }),
    'POST /api/posts': () => ({ title: 'Stolen', content: 'Stolen', mediaIds: [of().mediaId] }),
    'PATCH /api/posts/:id': () => ({ isExclusive: false }),
    'POST /api/drafts': () => ({ title: 'Stolen', mediaIds: [of().draftMediaId], businessId: of().businessId }),
    'PATCH /api/drafts/:id': () => ({ title: 'Stolen', version: 2 }),
    'PUT /api/drafts/:id/schedule': () => ({ publishAt: new Date(of().now.getTime() + 3_600_000).toISOString() }),
    'POST /api/posts/:id/comments': () => ({ content: 'Let me in', parentId: of().commentId }),
    'PATCH /api/comments/:id': () => ({ content: 'Changed' }),
    'POST /api/communities': () => ({
      name: 'Stolen',
      description: 'Stolen',
      category: 'general',
      visibility: 'public',
      imageId: of().mediaId,
    }),
    'PATCH /api/communities/:id': () => ({ imageId: of().mediaId }),
    'DELETE /api/communities/:id': () => ({ name: 'Stolen' }),
    'POST /api/communities/:id/join': () => ({ message: 'Let me in' }),
    'PUT /api/admin/businesses/:id/name': () => ({ name: 'Another name' }),
    'PUT /api/admin/communities/:id/verified': () => ({ isVerified: true }),
    'PUT /api/communities/:id/members/:personId/role': () => ({ role: 'moderator' }),
    'PUT /api/communities/:id/owner': () => ({ personId: of().ownerId }),
    'POST /api/communities/:id/invitations': () => ({ personId: of().ownerId }),
    'POST /api/communities/:id/invitation-links': () => ({}),
    'POST /api/community-posts': () => ({
      communityId: nothing,
      postType: 'discussion',
      title: 'Stolen',
      content: 'Stolen',
      mediaIds: [of().mediaId],
    }),
    'PUT /api/community-posts/:id/accepted-answer': () => ({ commentId: of().commentId }),
    'PUT /api/community-posts/:id/vote': () => ({ position: 0 }),
    'PUT /api/businesses/:id/rating': () => ({ rating: 4 }),
    'PUT /api/ratings/:id/reply': () => ({ content: 'A reply' }),
    'POST /api/businesses/:id/menu-items': () => ({ name: 'Stolen', price: '1', imageId: of().mediaId }),
    'PATCH /api/businesses/:id/menu-items': () => ({ changes: [{ id: newId(), version: 1, imageId: of().mediaId }] }),
    'POST /api/businesses/:id/menu-items/removals': () => ({ ids: [newId()] }),
    'POST /api/businesses/:id/menu-confirmations': () => ({}),
    'PUT /api/businesses/:id/menu-settings': () => ({ currency: 'USD', taxRate: null, pricesIncludeTax: true }),
    'POST /api/businesses/:id/menu-imports': () => ({ fileName: 'menu.csv', byteSize: 10 }),
    'PUT /api/businesses/:id/menu-imports/:importId/mapping': () => ({ fields: [] }),
    'POST /api/businesses/:id/menu-imports/:importId/undo': () => ({}),
    'POST /api/businesses/:id/locations': () => ({ name: 'Other', location: 'Denver, CO', timeZone: 'America/Denver' }),
    'PUT /api/businesses/:id/locations/:locationId': () => ({ name: 'Other', location: 'Denver, CO', timeZone: 'America/Denver' }),
    'PUT /api/businesses/:id/menu-sharing': () => ({ isEmbedOn: true }),
    'POST /api/businesses/:id/events': eventDetails,
    'PUT /api/events/:id': eventDetails,
    'PUT /api/events/:id/cancellation': () => ({ note: 'Canceled' }),
    'POST /api/reports': () => ({ subject: 'post', subjectId: of().postId, reason: 'spam' }),
    'POST /api/support-requests': () => ({ subject: 'Let me in', message: 'Please' }),
    'POST /api/moderation/cases/:id/assign': () => ({ isMine: true }),
    'POST /api/moderation/cases/:id/decide': () => ({ actions: [{ action: 'dismiss' }] }),
    'POST /api/moderation/actions/:id/undo': () => ({ reason: 'None' }),
    'POST /api/moderation/actions/:id/appeal': () => ({ content: 'None' }),
    'POST /api/moderation/appeals/:id/decide': () => ({ outcome: 'upheld', answer: 'None' }),
    'POST /api/media': () => ({ contentType: 'image/png', byteSize: 10 }),
    'PATCH /api/media/:id': () => ({ alt: 'Changed' }),
    'POST /api/conversations': () => ({ to: { kind: 'business', id: of().businessId } }),
    'POST /api/conversations/:id/messages': () => ({ id: newId(), content: 'Let me in', mediaIds: [of().mediaId] }),
    'POST /api/conversations/:id/read': () => ({ sequence: 1 }),
    'PUT /api/message-settings': () => defaultMessageSettings,
    'PUT /api/notification-preferences': () => ({}),
    'PUT /api/push/subscription': () => ({}),
    'POST /api/billing/checkouts': () => ({ provider: 'test', subscribeTo: of().businessId }),
    'POST /api/billing/checkouts/:id/approval': () => ({ subscriptionID: 'I-NONE' }),
    'POST /api/billing/test/checkouts/:id/answers': () => ({ outcome: 'approve' }),
    'PUT /api/billing/agreements/:id/business': () => ({ businessId: of().businessId }),
    'PUT /api/businesses/:id/subscription-offer': () => ({ price: null, currency: 'USD', title: 'Subscriber', perks: [] }),
    'PUT /api/businesses/:id/payment-accounts/paypal': () => ({ clientId: 'a-client-id-of-no-one', clientSecret: 'a-secret-of-no-one' }),
    'PUT /api/businesses/:id/payment-accounts/invoice': () => ({ instructions: 'Pay me' }),
    'POST /api/businesses/:id/invoice-payments': () => ({ checkoutId: newId(), amount: '5', currency: 'USD', reference: 'none' }),
    'POST /api/admin/invoice-payments': () => ({ checkoutId: newId(), amount: '75.00', currency: 'USD', reference: 'none' }),
    'POST /api/admin/payments/:id/refunds': () => ({ amount: '1', reason: 'None' }),
    ...growingBodies(() => of().mediaId),
    'POST /api/push/subscription/removals': () => ({ endpoint: 'https://push.example/none' }),
  }
}

/** Routes outside the contract, and why they reveal nothing: covered by the test, or unrelated to posts. */
export const elsewhere: Record<string, string> = {
  'GET /media/:id/:file': 'requested below',
  'GET /api/live': 'requested above',
  'POST /age-gate': 'a cookie and a redirect',
  'GET /dev/mail': 'lists the emails checked above; not in production',
  'GET /dev/boot': 'the same data as in a page, requested below; not in production',
  'GET /api/businesses/:id/insights.csv': 'figures for the team only',
  'GET /api/pheno-hunts/:id/climate.csv': 'sensor readings, for people who may see the hunt',
  'GET /api/pheno-hunts/:id/export.json': 'a hunt, for people who may edit it',
  'GET /api/pheno-hunts/:id/export/:table': 'tables of a hunt, for people who may edit it',
  'GET /api/pheno-hunts/:id/labels.pdf': 'plant labels, for people who may see the hunt',
  'GET /api/blind-panels/:id/results.csv': 'scores of plants, for people who may see the hunt',
  'GET /api/events/:id/calendar.ics': 'an event, not a post: server/features/events/events.integration.test.ts',
  'GET /api/businesses/:id/menu.csv': 'products, for people who edit the menu',
  'GET /api/user/exports/:id/file': 'a file for the person it is about, covered by server/features/own-data/canary.integration.test.ts',
  'GET /api/login': 'a redirect',
  'GET /api/logout': 'a redirect',
  'GET /healthz': 'the state of the server',
  'GET /manifest.webmanifest': 'the name of the app',
  'GET /offline/shell': 'the app without a viewer',
  'GET /offline/page': 'the same few words for everyone',
  'GET /readyz': 'the state of the server',
  'POST /api/unsubscribe/:token': 'doesn’t say what the email was about',
  'GET /unsubscribe/:token': 'doesn’t say what the email was about',
  'POST /api/billing/messages/:provider': 'only whether the message was signed',
  'POST /api/billing/messages/:provider/:accountId': 'only whether the message was signed',
  'GET /api/billing/payments/:id/receipt.pdf': 'the amount of a payment',
  'GET /api/openapi.json': 'the description of the API',
  'GET /api/docs': 'the description of the API',
  'GET /api/docs/json': 'the description of the API',
  'GET /api/docs/yaml': 'the description of the API',
  'GET /api/docs/static/*': 'the description of the API',
  'GET /api/docs/static/index.html': 'the description of the API',
  'GET /api/docs/static/swagger-initializer.js': 'the description of the API',
  'GET /feeds/menus/:token.json': 'products only',
  'GET /embed/menu/:slug': 'the name of a business',
  'GET /embed/menu/:slug/items': 'products only',
  'GET /embed/menu.js': 'a script',
  'GET /embed/page.js': 'a script',
  'GET /embed/menu.css': 'a style sheet',
  'GET /business/:slug/qr.svg': 'the address of a page',
  'GET /business/:slug/qr.pdf': 'the address of a page',
  'GET /business/:slug/preview.png': 'the name and city of a business',
  'GET /preview.png': 'the name of the site',
  'GET /.well-known/security.txt': 'the address of the operator',
  'GET /robots.txt': 'what search engines may read',
  'GET /sitemap.xml': 'addresses of lists',
  'GET /sitemaps/pages.xml': 'addresses of pages',
  'GET /sitemaps/:name.xml': 'addresses of pages and businesses',
  'GET /metrics': 'figures of the server, for holders of its token',
  'GET /assets/app-abc123.js': 'the web app',
}
