import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '#contracts/endpoint.ts'
import { endpoints } from '#contracts/index.ts'
import { brapiRoutes } from '#server/features/brapi/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { giveRole } from './support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from './support/test-app.ts'

/** Tests every endpoint and route for access without the second factor and for impersonation. */

let t: TestApp
let owing: TestPerson
const registered: string[] = []
const asked = new Map<string, TestPerson>()

beforeAll(async () => {
  t = await startTestApp({ onRoute: (method, url) => registered.push(`${method} ${url}`) })
  owing = await t.signUp()
  await t.db.insertInto('second_factors').values({ user_id: owing.user.id, secret: 'sealed', confirmed_at: t.clock.now() }).execute()
  for (const role of ['member', 'moderator', 'admin'] as const) {
    const person = await t.signUp()
    await t.db.updateTable('users').set({ role }).where('id', '=', person.user.id).execute()
    asked.set(role, person)
  }
})
afterAll(() => t.close())

const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`
const urlOf = (path: string) => path.replace(/:\w+/g, newId())
const send = (endpoint: Endpoint, as: TestPerson | null) =>
  endpoint.receives === 'bytes'
    ? t.app.inject({
        method: endpoint.method,
        url: urlOf(endpoint.path),
        headers: { 'content-type': 'application/octet-stream', ...(as ? { cookie: as.cookie } : {}) },
        payload: Buffer.from('bytes'),
      })
    : t.request(endpoint.method, urlOf(endpoint.path), as, endpoint.body ? {} : undefined)

describe('a session without its second factor', () => {
  const open = endpoints.filter(({ beforeSecondFactor }) => beforeSecondFactor).map(nameOf)

  it('may only read its own identity and present the factor', () => {
    expect(open.sort()).toEqual(['GET /api/auth/user', 'GET /api/second-factor', 'POST /api/second-factor/show'])
  })

  it.each(
    endpoints
      // Calls that accept API keys ignore the session.
      .filter(({ access, beforeSecondFactor }) => access !== 'public' && access !== 'key' && !beforeSecondFactor)
      .map((each) => [nameOf(each), each] as const),
  )('is refused by %s before any input is read', async (_name, endpoint) => {
    const answer = await send(endpoint, owing)
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'second_factor_required'])
  })

  it('counts as a visitor for public calls', async () => {
    for (const endpoint of endpoints.filter(({ access, method }) => access === 'public' && method === 'GET')) {
      const path = urlOf(endpoint.path)
      const [asOwing, asVisitor] = [await t.request('GET', path, owing), await t.request('GET', path, null)]
      expect([asOwing.statusCode, asOwing.body], nameOf(endpoint)).toEqual([asVisitor.statusCode, asVisitor.body])
    }
  })

  it('is refused or treated as a visitor on every undeclared route', async () => {
    const declared = new Set(endpoints.map(nameOf))
    const others = registered.filter((route) => route.startsWith('GET ') && !declared.has(route) && !/\/(login|logout|docs)/.test(route))
    expect(others.length).toBeGreaterThan(20)
    for (const route of others) {
      const url = urlOf(route.slice('GET '.length).replace(':file', 'medium.webp').replace('*', 'index.html'))
      const answer = await t.request('GET', url, owing)
      if (answer.statusCode === 403) {
        expect(answer.json().code, route).toBe('second_factor_required')
        continue
      }
      const visitor = await t.request('GET', url, null)
      expect(answer.statusCode, route).toBe(visitor.statusCode)
      // Calls that accept API keys ignore sessions.
      if (brapiRoutes.includes(route)) continue
      // Not a 401: where a visitor must sign in, this session gets the second-factor error above.
      expect(visitor.statusCode, route).not.toBe(401)
    }
  })
})

describe('a role', () => {
  const forRoles = endpoints.filter(({ access }) => access === 'moderator' || access === 'admin')

  it.each(forRoles.map((each) => [nameOf(each), each] as const))(
    'gets nothing from %s in a session without the second factor',
    async (_name, endpoint) => {
      for (const role of ['moderator', 'admin'] as const) {
        const answer = await send(endpoint, asked.get(role) as TestPerson)
        const isTheirs = role === 'admin' || endpoint.access === 'moderator'
        expect([answer.statusCode, answer.json().code], role).toEqual([403, isTheirs ? 'second_factor_required' : 'forbidden'])
      }
      expect((await send(endpoint, asked.get('member') as TestPerson)).json().code).toBe('forbidden')
      expect((await send(endpoint, null)).statusCode).toBe(401)
    },
  )
})

describe('every call', () => {
  /** Only these calls change the session's person, and always to the person who authenticated. */
  const beginSessions = ['POST /api/login', 'POST /api/register', 'POST /api/auth/passkey']

  it('neither starts, moves, nor hands over a session, even for admins', async () => {
    const admin = await t.signUp()
    await giveRole(t, admin, 'admin')
    const other = await t.signUp()
    const sessions = () => t.db.selectFrom('sessions').select(['id', 'user_id', 'token']).orderBy('id').execute()
    const before = await sessions()
    for (const endpoint of endpoints.filter((each) => !beginSessions.includes(nameOf(each)))) {
      const path = endpoint.path.replace(/:\w+/g, other.user.id)
      // Tries parameters and headers that other servers accept for impersonation.
      const wishes = { userId: other.user.id, actorId: other.user.id, actAs: other.user.id, authorId: other.user.id }
      const isSignOut = endpoint.path.endsWith('/sign-out')
      if (isSignOut || endpoint.receives === 'bytes') continue
      const answer = await t.app.inject({
        method: endpoint.method,
        url: `${path}?userId=${other.user.id}&as=${other.user.id}`,
        headers: { cookie: admin.cookie, 'x-user-id': other.user.id, 'x-act-as': other.user.id },
        ...(endpoint.body ? { payload: wishes } : {}),
      })
      const names = answer.cookies.map(({ name }) => name)
      expect(names.includes(t.sessionCookieName), nameOf(endpoint)).toBe(false)
    }
    expect(await sessions()).toEqual(before)
    const me = await t.request('GET', '/api/auth/user', admin)
    expect(me.json().id).toBe(admin.user.id)
  })

  it('records admins’ actions under their own names', async () => {
    const admin = await t.signUp()
    await giveRole(t, admin, 'admin')
    const other = await t.signUp()
    const { sequence } = await t.db.selectFrom('audit_head').select('sequence').executeTakeFirstOrThrow()
    await t.request('GET', `/api/admin/people/${other.user.id}`, admin)
    await t.request('PUT', `/api/admin/people/${other.user.id}/role`, admin, { role: 'moderator' })
    await t.request('PUT', `/api/admin/people/${other.user.id}/role`, admin, { role: 'member' })
    await t.request('POST', `/api/admin/people/${other.user.id}/sign-out`, admin)
    const rows = await t.db.selectFrom('audit_log').select(['actor_id', 'action']).where('sequence', '>', sequence).execute()
    expect(rows.map(({ action }) => action)).toEqual(['person.looked_at', 'role.changed', 'role.changed', 'person.signed_out'])
    expect(new Set(rows.map(({ actor_id }) => actor_id))).toEqual(new Set([admin.user.id]))
  })

  it('declares no field by which a person could act as another', () => {
    const suspicious = /^(actorId|actAs|onBehalfOf|authorId|asUser|impersonate|sessionId|createdBy|ownerId)$/i
    const fieldsOf = (schema: unknown): string[] => {
      const shape = (schema as { def?: { shape?: Record<string, unknown> } } | undefined)?.def?.shape
      return shape ? Object.keys(shape) : []
    }
    const found = endpoints.flatMap((each) =>
      [...fieldsOf(each.body), ...fieldsOf(each.query)]
        .filter((field) => suspicious.test(field))
        .map((field) => `${nameOf(each)}: ${field}`),
    )
    expect(found).toEqual([])
  })
})
