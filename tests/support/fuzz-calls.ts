import type * as z from 'zod/mini'
import { below, oneOf, type Random, randomAt } from '#bench/random.ts'
import type { Endpoint } from '#contracts/endpoint.ts'
import { endpoints } from '#contracts/index.ts'
import type { Db } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from './businesses.ts'
import { exclusiveBodies } from './exclusive-calls.ts'
import { keyCallParts, keyCalls } from './fuzz-key-calls.ts'
import { described, type Json, mutate, numbers, rawBody, schemaOf, texts } from './fuzz-values.ts'
import { addHuntWorld, type HuntWorld } from './hunt-world.ts'
import { giveRole } from './roles.ts'
import { joinBusiness } from './social.ts'
import type { TestPerson } from './test-app.ts'

export type FuzzRequest = { method: Endpoint['method']; url: string; headers: Record<string, string>; body: Buffer | null }
export type FuzzAnswer = { status: number; body: string; setCookies: string[] }
export type Send = (request: FuzzRequest) => Promise<FuzzAnswer>
export type FuzzFault = { what: string; call: string; url: string; body: string; answer: string }

const maxMs = 2_000
/** Number of calls after which to undo their effects on the callers. */
const renewEvery = 500

/** Calls after which the caller's other calls would be refused. */
const endsSessions = new Set(['POST /api/sign-in/sessions/end-others', 'DELETE /api/sign-in/sessions/:id', 'POST /api/second-factor/begin'])

/**
 * Sends nearly valid requests: bodies and queries that match their schemas, with some nonsensical fields, IDs of all kinds, and bytes that
 * aren't JSON. The callers are a visitor, a member, an owner, a moderator, an admin, and programs with keys of people and sensors. No
 * response may be an internal error or take more than two seconds. Slow requests are retried alone, because the machine may be busy.
 */
export async function fuzzCalls(
  { db, send }: { db: Db; send: Send },
  count: number,
  seed: number,
  { atOnce = 1, onProgress = () => {} }: { atOnce?: number; onProgress?: (done: number) => void | Promise<void> } = {},
): Promise<{ sent: number; byStatus: Record<string, number>; answered: string[]; slowestMs: number; faults: FuzzFault[] }> {
  const world = await makeWorld(db, send)
  const byStatus: Record<string, number> = {}
  const faults: FuzzFault[] = []
  const answered = new Set<string>()
  const slow: { call: string; request: FuzzRequest }[] = []
  let slowestMs = 0

  const timed = async (request: FuzzRequest) => {
    const began = performance.now()
    const answer = await send(request)
    return { answer, ms: performance.now() - began }
  }
  const report = (what: string, call: string, { url, body }: FuzzRequest, answer: string) =>
    faults.push({ what, call, url: url.slice(0, 200), body: body?.toString().slice(0, 300) ?? '', answer: answer.slice(0, 200) })

  for (let done = 0; done < count; ) {
    const size = Math.min(renewEvery, count - done)
    let next = done
    const worker = async () => {
      for (let index = next++; index < done + size; index = next++) {
        const random = randomAt(seed, 1, index)
        const { call, request } = random() < 0.2 ? makeKeyRequest(random, world) : makeRequest(random, world)
        const { answer, ms } = await timed(request)
        const kind = `${Math.floor(answer.status / 100)}xx`
        byStatus[kind] = (byStatus[kind] ?? 0) + 1
        if (answer.status < 300) answered.add(call)
        if (answer.status >= 500) report(`${answer.status}`, call, request, answer.body)
        if (ms > maxMs) slow.push({ call, request })
        else slowestMs = Math.max(slowestMs, ms)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    for (const { call, request } of slow.splice(0)) {
      let fastest = Number.POSITIVE_INFINITY
      for (let tries = 0; tries < 3 && fastest > maxMs; tries++) fastest = Math.min(fastest, (await timed(request)).ms)
      slowestMs = Math.max(slowestMs, fastest)
      if (fastest > maxMs) report(`${Math.round(fastest)} ms`, call, request, '')
    }
    done += size
    await world.renew()
    await onProgress(done)
  }
  return { sent: count, byStatus, answered: [...answered], slowestMs, faults }
}

type World = {
  people: (TestPerson | null)[]
  /** Candidates for `:id` after a collection's name. */
  ids: Record<string, string[]>
  all: string[]
  bodies: Record<string, () => object>
  /** A hunt that no other call changes, with the keys that programs send: personal keys and its room's key. */
  keys: { hunt: HuntWorld; photoTrait: string; people: (string | null)[]; sensor: (string | null)[] }
  renew(): Promise<void>
}

async function makeWorld(db: Db, send: Send): Promise<World> {
  let made = 0
  const signUp = async (): Promise<TestPerson> => {
    const email = `fuzz-${++made}-${newId()}@example.com`
    const password = 'seven green terraces at dawn'
    const name = { firstName: 'Fuzz', lastName: `Number ${made}` }
    const registered = await post('/api/register', '', { email, password, ...name, birthday: '1990-04-01', accountType: 'consumer' })
    const cookie = registered.setCookies
      .map((each) => each.split(';')[0] as string)
      .filter((each) => !each.startsWith('written='))
      .join('; ')
    const profile = await post('/api/user/profile', cookie, { ...name, location: 'Denver, CO' })
    return { cookie, email, password, user: JSON.parse(profile.body) }
  }
  const post = (url: string, cookie: string, body: object, method: Endpoint['method'] = 'POST') =>
    send({ method, url, headers: { 'content-type': 'application/json', cookie }, body: Buffer.from(JSON.stringify(body)) })
  const idOf = ({ body, status }: FuzzAnswer): string => {
    const { id } = JSON.parse(body) as { id?: string }
    if (!id) throw new Error(`The data for fuzzing couldn't be created: ${status} ${body}`)
    return id
  }

  async function makeKeys(): Promise<World['keys']> {
    const cast = { owner: member.user.id, viewer: owner.user.id, writer: (people[2] as TestPerson).user.id }
    const own = await addHuntWorld(db, 'fuzz', cast)
    const { id: photoTrait } = await db
      .selectFrom('traits')
      .select('id')
      .where('hunt_id', '=', own.hunt)
      .where('kind', '=', 'photo')
      .executeTakeFirstOrThrow()
    const secretOf = async (url: string, { cookie }: TestPerson, body: object) => {
      const answer = await post(url, cookie, body)
      const { secret } = JSON.parse(answer.body) as { secret?: string }
      if (!secret) throw new Error(`The key for fuzzing couldn't be created: ${answer.status} ${answer.body}`)
      return secret
    }
    const scopes = ['hunts:read', 'hunts:write']
    const ofPeople = await Promise.all(
      people.slice(0, 3).map((person) => secretOf('/api/sign-in/keys', person, { name: 'Tablet', scopes, password: person.password })),
    )
    const ofSensor = await secretOf(`/api/pheno-hunts/${own.hunt}/sensor-keys`, member, { sensorName: 'Tent' })
    // The hunt's owner makes half of the calls with personal keys.
    const [first = null] = ofPeople
    return { hunt: own, photoTrait, people: [first, first, ...ofPeople, null], sensor: [ofSensor, ofSensor, ofSensor, first, null] }
  }

  const clock = { now: () => new Date() }
  const roles = ['member', 'member', 'moderator', 'admin'] as const
  const people: TestPerson[] = []
  for (const role of roles) {
    const person = await signUp()
    await giveRole({ db, clock: clock as never }, person, role)
    people.push(person)
  }
  const [member, owner] = people as [TestPerson, TestPerson]
  const business = await addBusiness(db)
  await joinBusiness(db, owner.user.id, business.id)
  const postId = idOf(await post('/api/posts', owner.cookie, { title: 'Soil', content: 'Water it', businessId: business.id }))
  const ownPost = idOf(await post('/api/posts', member.cookie, { title: 'Mine', content: 'Words' }))
  const commentId = idOf(await post(`/api/posts/${postId}/comments`, member.cookie, { content: 'Nice' }))
  const draftId = idOf(await post('/api/drafts', owner.cookie, { title: 'Later' }))
  const community = idOf(
    await post('/api/communities', member.cookie, {
      name: `Growers ${made}`,
      description: 'All',
      category: 'growing',
      visibility: 'public',
    }),
  )
  const itemId = idOf(
    await post(`/api/businesses/${business.id}/menu-items`, owner.cookie, {
      name: 'Gummies',
      category: 'Edibles',
      variants: [{ price: '12.50' }],
    }),
  )
  const hunt = await addHuntWorld(db, 'fuzz', { owner: member.user.id, viewer: owner.user.id, writer: (people[2] as TestPerson).user.id })
  const keys = await makeKeys()
  const personIds = people.map(({ user }) => user.id)
  const ids: World['ids'] = {
    businesses: [business.id, business.slug],
    posts: [postId, ownPost],
    comments: [commentId],
    drafts: [draftId],
    communities: [community],
    'menu-items': [itemId],
    people: personIds,
    'pheno-hunts': [hunt.hunt],
    ...Object.fromEntries(Object.entries(hunt.ids).map(([collection, id]) => [collection, [id]])),
  }
  const of = {
    businessId: business.id,
    ownerId: owner.user.id,
    postId,
    commentId,
    mediaId: newId(),
    draftMediaId: newId(),
    now: clock.now(),
  }
  return {
    people: [null, ...people],
    ids,
    all: Object.values(ids).flat(),
    bodies: exclusiveBodies(() => of),
    keys,
    async renew() {
      for (const [i, role] of roles.entries()) {
        const { user } = people[i] as TestPerson
        await db.updateTable('users').set({ muted_until: null, suspended_until: null }).where('id', '=', user.id).execute()
        await db.deleteFrom('account_deletions').where('user_id', '=', user.id).execute()
        const { cookie } = people[i] as TestPerson
        const current = await send({ method: 'GET', url: '/api/auth/user', headers: { cookie }, body: null })
        // Changes the objects in place, because both lists contain them.
        if (current.status !== 200) Object.assign(people[i] as TestPerson, await signUp())
        await giveRole({ db, clock: clock as never }, people[i] as TestPerson, role)
      }
    },
  }
}

const callable = endpoints.filter(({ method, path }) => !endsSessions.has(`${method} ${path}`))

function makeRequest(random: Random, world: World): { call: string; request: FuzzRequest } {
  const endpoint = oneOf(random, callable)
  const call = `${endpoint.method} ${endpoint.path}`
  const who = oneOf(random, world.people)
  const url = pathOf(random, endpoint, world) + queryOf(random, endpoint, world)
  const headers: Record<string, string> = {
    ...(who ? { cookie: who.cookie } : {}),
    ...(endpoint.idempotent && random() < 0.2 ? { 'idempotency-key': oneOf(random, ['', 'k', 'x'.repeat(300), newId()]) } : {}),
  }
  if (!endpoint.body && endpoint.receives === 'json') return { call, request: { method: endpoint.method, url, headers, body: null } }
  const type = endpoint.receives === 'bytes' ? 'application/octet-stream' : 'application/json'
  const body =
    endpoint.receives === 'bytes' ? Buffer.alloc(below(random, 3_000), below(random, 256)) : bodyOf(random, endpoint, call, world)
  return {
    call,
    request: { method: endpoint.method, url, headers: { ...headers, 'content-type': random() < 0.97 ? type : 'text/plain' }, body },
  }
}

function makeKeyRequest(random: Random, { keys, all }: World): { call: string; request: FuzzRequest } {
  const made = oneOf(random, keyCalls)
  const { method, route } = made
  const key = oneOf(random, made.path === '/api/sensor-readings' ? keys.sensor : keys.people)
  const { address, body } = keyCallParts(random, made, keys.hunt, keys.photoTrait)
  const isBytes = made.service === 'images/imagecontent'
  const type = isBytes ? 'image/jpeg' : 'application/json'
  const bytes = isBytes
    ? Buffer.alloc(below(random, 3_000), below(random, 256))
    : body && (random() < 0.1 ? rawBody(random) : Buffer.from(JSON.stringify(mutatedAtTimes(random, body as Json, all)) ?? ''))
  const headers = { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...(bytes ? { 'content-type': type } : {}) }
  return { call: route, request: { method, url: address, headers, body: bytes } }
}

function mutatedAtTimes(random: Random, body: Json, ids: readonly string[]): Json {
  let mutated = body
  for (let times = below(random, 4); times > 0; times--) mutated = mutate(random, mutated, ids)
  return mutated
}

function pathOf(random: Random, { path }: Endpoint, world: World): string {
  const parts = path.split('/')
  return parts
    .map((part, i) => {
      if (!part.startsWith(':')) return part
      const known = (i === 3 ? world.ids[parts[2] as string] : undefined) ?? world.all
      const id =
        random() < 0.7
          ? oneOf(random, known)
          : random() < 0.5
            ? oneOf(random, world.all)
            : oneOf(random, [newId(), ...texts.slice(0, 20), 'x'.repeat(150)])
      return encoded(id)
    })
    .join('/')
}

/** Replaces lone surrogates, which URLs can't encode. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

function queryOf(random: Random, { query }: Endpoint, world: World): string {
  if (!query) return ''
  const { properties = {} } = schemaOf(query)
  const pairs = Object.entries(properties).flatMap(([name, schema]) => {
    if (random() < 0.5) return []
    const value =
      random() < 0.5
        ? described(random, schema, world.all)
        : oneOf(random, [...texts, ...numbers, ...world.all, btoa('[]'), btoa('["0001-01-01",1]')])
    return Array.from(
      { length: random() < 0.05 ? 2 : 1 },
      () => `${name}=${encoded(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 6_000)}`,
    )
  })
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

function bodyOf(random: Random, endpoint: Endpoint, call: string, world: World): Buffer {
  const luck = random()
  if (luck < 0.1) return rawBody(random)
  const sample = world.bodies[call]
  const body = sample && random() < 0.6 ? (sample() as Json) : described(random, schemaOf(endpoint.body as z.ZodMiniType), world.all)
  const json = JSON.stringify(mutatedAtTimes(random, body, world.all)) ?? ''
  // Sometimes adds a key, which may be a duplicate.
  return Buffer.from(
    random() < 0.03 && json.startsWith('{"') ? json.replace('{', `{"${oneOf(random, ['title', 'id', '__proto__'])}":1,`) : json,
  )
}
