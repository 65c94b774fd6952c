import type { Endpoint } from '#contracts/endpoint.ts'
import { newId } from '#server/kernel/ids.ts'
import { exclusiveBodies } from './exclusive-calls.ts'
import { huntMatrix } from './hunt-matrix.ts'
import type { RoleWorld } from './role-world.ts'

const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`

/** Valid request bodies for a world's own content. Other calls use those in `exclusiveBodies` or `huntMatrix`. */
const bodies: Record<string, (of: RoleWorld) => object> = {
  'POST /api/claims': ({ listing }) => ({ method: 'review', businessId: listing, statement: 'Mine' }),
  'POST /api/favorites': ({ business }) => ({ businessId: business }),
  'POST /api/subscriptions': ({ business }) => ({ businessId: business }),
  'POST /api/posts': ({ business }) => ({ title: 'Soil', content: 'Water it', businessId: business }),
  'PATCH /api/posts/:id': () => ({ title: 'Soil' }),
  'POST /api/drafts': ({ business }) => ({ title: 'Soil', businessId: business }),
  'PATCH /api/drafts/:id': () => ({ title: 'Soil', version: 1 }),
  'POST /api/community-posts': ({ community }) => ({
    ...{ communityId: community, postType: 'discussion', title: 'Soil', content: 'Water it' },
  }),
  'POST /api/communities': () => ({ name: 'Another', description: 'All', category: 'general', visibility: 'public' }),
  'PATCH /api/communities/:id': () => ({ description: 'Changed' }),
  'DELETE /api/communities/:id': ({ params }) => ({ name: params.communityName }),
  'POST /api/communities/:id/invitations': ({ params }) => ({ personId: params.outsider }),
  'PUT /api/communities/:id/owner': ({ params }) => ({ personId: params.other }),
  'PUT /api/community-posts/:id/accepted-answer': ({ params }) => ({ commentId: params.answerId }),
  'POST /api/businesses/:id/merge': ({ listing }) => ({ into: listing }),
  'PATCH /api/businesses/:id': () => ({ description: 'Changed' }),
  'PUT /api/businesses/:id/move': () => ({ movesOn: '2099-12-01', location: 'Boulder, CO' }),
  'POST /api/businesses/setups': () => ({ businessName: 'Another' }),
  'POST /api/businesses/:id/menu-items': () => ({ name: 'Flower', variants: [{ price: '1' }] }),
  'PATCH /api/businesses/:id/menu-items': ({ params }) => ({ changes: [{ id: params.itemId, version: 1, name: 'Flower' }] }),
  'POST /api/businesses/:id/menu-items/removals': ({ params }) => ({ ids: [params.itemId] }),
  'PUT /api/businesses/:id/gallery': ({ ids, params }) => ({
    ...{ items: [{ mediaId: ids.media, alt: 'Plants' }], version: params.galleryVersion },
  }),
  'POST /api/businesses/:id/team/transfer': ({ params }) => ({ userId: params.userId }),
  'PATCH /api/businesses/:id/team/members/:userId': () => ({ role: 'manager' }),
  'POST /api/groups': ({ business }) => ({ name: 'Yards', businessIds: [business] }),
  'POST /api/conversations': ({ owner }) => ({ to: { kind: 'person', id: owner } }),
  'POST /api/conversations/:id/messages': () => ({ id: newId(), content: 'Hello' }),
  'POST /api/reports': ({ params }) => ({ subject: 'comment', subjectId: params.answerId, reason: 'spam' }),
  'PATCH /api/user/settings/profile': () => ({ bio: 'Hello' }),
  'POST /api/billing/checkouts': () => ({ provider: 'test', planId: 'vip' }),
  'PUT /api/billing/agreements/:id/business': ({ business }) => ({ businessId: business }),
  'POST /api/media': () => ({ contentType: 'image/png', byteSize: 10 }),
  'POST /api/verifications/:id/proof': () => ({ method: 'phone' }),
  'POST /api/corrections/:id/accept': () => ({ keep: 'other' }),
  'POST /api/admin/invoice-payments': ({ params }) => ({ checkoutId: params.siteInvoice, amount: '150', currency: 'USD', reference: 'A1' }),
  'POST /api/businesses/:id/invoice-payments': ({ params }) => ({
    checkoutId: params.shopInvoice,
    amount: '5',
    currency: 'USD',
    reference: 'A1',
  }),
  'POST /api/admin/jobs/retry': () => ({}),
}

const queries: Record<string, (of: RoleWorld) => string> = {
  'GET /api/businesses/:id/merge': ({ listing }) => `?into=${listing}`,
  'GET /api/drafts': ({ business }) => `?business=${business}`,
  'GET /api/conversations': ({ business }) => `?inbox=${business}`,
  'GET /api/messages/search': ({ business }) => `?inbox=${business}&q=hi`,
  'GET /api/billing/agreements': ({ business }) => `?business=${business}`,
  'GET /api/community-posts': ({ community }) => `?communityId=${community}`,
  'GET /api/moderation/cases': ({ community }) => `?scope=${community}`,
  'GET /api/search': () => '?q=yard',
  'GET /api/search/facets': () => '?q=yard',
  'GET /api/search/suggestions': () => '?q=yard',
  'GET /api/mention-suggestions': () => '?q=yard',
  'GET /api/places': () => '?q=denver',
  'GET /api/products': () => '?near=Denver, CO',
  'GET /api/products/counts': () => '?near=Denver, CO',
  'GET /api/moderation/load': ({ community }) => `?scope=${community}`,
}

function idIn({ ids }: RoleWorld, path: string): string {
  const [, area = '', rest = ''] = /^\/api\/(?:[\w-]+\/)*?([\w-]+)(\/:id.*)$/.exec(path) ?? []
  const id = ids[area + rest] ?? ids[area]
  if (!id) throw new Error(`Say in tests/support/role-world.ts what :id of ${path} stands for.`)
  return id
}

function paramIn({ params }: RoleWorld, name: string, { method, path }: Endpoint): string {
  const isOwnInvitation = method === 'DELETE' && path === '/api/communities/invitations/:token'
  const by: Record<string, string | undefined> = {
    invitationId: path.startsWith('/api/communities') ? params.communityInvitation : params.teamInvitation,
    token: isOwnInvitation
      ? params.ownInvitation
      : path.startsWith('/api/communities')
        ? params.linkToken
        : path.startsWith('/api/taste')
          ? params.cardToken
          : params.teamToken,
    personId: path.includes('/requests/') || path.includes('blocked-people') ? params.requester : params.other,
  }
  const value = by[name] ?? params[name]
  if (!value) throw new Error(`Say in tests/support/role-world.ts what :${name} of ${path} stands for.`)
  return value
}

export type RoleRequest = { method: Endpoint['method']; url: string; payload?: object | Buffer; headers: Record<string, string> }

export function roleRequest(endpoint: Endpoint, of: RoleWorld, now: Date): RoleRequest {
  const name = nameOf(endpoint)
  const path = endpoint.path.replace(/:(\w+)/g, (_, param: string) =>
    param === 'id' ? idIn(of, endpoint.path) : paramIn(of, param, endpoint),
  )
  const query = (queries[name] ?? (huntMatrix[name]?.query && (() => huntMatrix[name]?.query?.(of.hunt) ?? '')))?.(of) ?? ''
  const request = { method: endpoint.method, url: path + query, headers: {} }
  if (endpoint.receives === 'bytes') {
    return { ...request, url: `${path}?offset=0`, headers: { 'content-type': 'application/octet-stream' }, payload: Buffer.from('name') }
  }
  if (!endpoint.body && endpoint.receives === 'json') return request
  const others = exclusiveBodies(() => ({
    ...{
      businessId: of.business,
      ownerId: of.params.other as string,
      postId: of.ids.posts as string,
      commentId: of.ids.comments as string,
    },
    ...{ mediaId: of.ids.media as string, draftMediaId: of.ids.media as string, now },
  }))
  const body = bodies[name]?.(of) ?? huntMatrix[name]?.body?.(of.hunt) ?? others[name]?.()
  if (!body) throw new Error(`Say in tests/support/role-requests.ts what is sent to ${name}.`)
  return { ...request, payload: body }
}
