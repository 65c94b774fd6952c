import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deletionPhrase } from '#contracts/limits.ts'
import type { DataExport } from '#contracts/own-data.endpoints.ts'
import { newId } from '#server/kernel/ids.ts'
import type { LiveSignal } from '#server/kernel/live.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addCommunity } from '#tests/support/communities.ts'
import { mailsTo } from '#tests/support/mailbox.ts'
import { addProduct } from '#tests/support/menus.ts'
import { joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { unzip } from '#tests/support/unzip.ts'
import { exportKey, runExport, silenceMs } from './exports.ts'
import { makingFolder } from './make-export.ts'

let test: TestApp
let friend: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  friend = await test.signUp()
})
afterAll(() => test?.close())

const ok = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, as: TestPerson, payload?: object) => {
  const answer = await test.request(method, url, as, payload)
  expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300)
  return answer.body === '' ? {} : answer.json()
}
const signIn = async (person: TestPerson): Promise<TestPerson> => {
  const answer = await test.request('POST', '/api/login', null, { email: person.email, password: person.password })
  expect(answer.statusCode, answer.body).toBe(200)
  const cookie = answer.cookies.filter(({ name }) => name !== 'written').map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
  return { ...person, cookie: cookie.join('; ') }
}
const ask = (person: TestPerson, more: object = {}) =>
  test.request('POST', '/api/user/deletion', person, { password: person.password, confirmation: deletionPhrase, ...more })
const sweep = async () => {
  await test.ctx.jobs.enqueue('own-data.sweep', {})
  await test.runJobs()
}
const isThere = async (person: TestPerson) =>
  (await test.db.selectFrom('users').select('id').where('id', '=', person.user.id).executeTakeFirst()) !== undefined
/** Advances the clock without expiring any session. */
const pass = async (hours: number) => {
  test.clock.advance({ hours })
  await test.db
    .updateTable('sessions')
    .set({ expires_at: new Date('2060-01-01') })
    .execute()
}

describe('an export', () => {
  const exportsOf = async (person: TestPerson): Promise<DataExport[]> => ok('GET', '/api/user/exports', person)
  const made = async (person: TestPerson): Promise<DataExport> => {
    await ok('POST', '/api/user/exports', person)
    await test.runJobs()
    const [latest] = await exportsOf(person)
    return latest as DataExport
  }
  const linkTo = (person: TestPerson, id: string, password = person.password) =>
    test.request('POST', `/api/user/exports/${id}/link`, person, { password })
  const filesOf = async (person: TestPerson) => {
    const { path: link } = (await linkTo(person, (await made(person)).id)).json()
    return unzip((await test.request('GET', link, person)).rawPayload)
  }

  it('runs one at a time, and at most three times a day', async () => {
    const person = await test.signUp()
    const first = await ok('POST', '/api/user/exports', person)
    expect(first).toMatchObject({ status: 'making', progress: 0, byteSize: null })
    expect((await ok('POST', '/api/user/exports', person)).id).toBe(first.id)
    await test.runJobs()
    expect(await exportsOf(person)).toMatchObject([{ id: first.id, status: 'ready', progress: 100 }])
    expect((await mailsTo(test, person.email))[0]?.subject).toContain('your data is ready')
    await made(person)
    await made(person)
    const fourth = await test.request('POST', '/api/user/exports', person)
    expect(fourth.statusCode).toBe(429)
    await pass(25)
    await made(person)
  })

  it('is available for ten minutes to its owner, in the session that confirmed the password', async () => {
    const person = await test.signUp()
    const { id } = await made(person)
    expect((await linkTo(friend, id)).statusCode).toBe(404)
    expect((await linkTo(person, id, 'another one')).json()).toMatchObject({ fields: { password: 'This isn’t your password.' } })
    const { path: link } = (await linkTo(person, id)).json()
    expect((await test.request('GET', link, null)).statusCode).toBe(401)
    expect((await test.request('GET', link, friend)).statusCode).toBe(404)
    expect((await test.request('GET', link, await signIn(person))).statusCode).toBe(403)
    expect((await test.request('GET', `/api/user/exports/${id}/file`, person)).statusCode).toBe(403)
    expect((await test.request('GET', link.replace(/until=\d+/, 'until=9999999999999'), person)).statusCode).toBe(403)
    const whole = await test.request('GET', link, person)
    expect(whole.headers).toMatchObject({ 'cache-control': 'private, no-store', 'content-type': 'application/zip' })
    expect(unzip(whole.rawPayload).has('data/account.json')).toBe(true)
    const headers = { cookie: person.cookie, range: 'bytes=2-5' }
    const part = await test.app.inject({ method: 'GET', url: link, headers })
    expect(part.statusCode).toBe(206)
    expect(part.rawPayload.equals(whole.rawPayload.subarray(2, 6))).toBe(true)
    await pass(1)
    expect((await test.request('GET', link, person)).statusCode).toBe(403)
  })

  it('is deleted after a week, both file and row', async () => {
    const person = await test.signUp()
    const { id } = await made(person)
    await pass(7 * 24 + 1)
    expect(await exportsOf(person)).toEqual([])
    expect((await linkTo(person, id)).statusCode).toBe(404)
    await sweep()
    expect(await test.ctx.storage.get(exportKey({ id, attempts: 1 }))).toBeNull()
    expect(await test.db.selectFrom('data_exports').select('id').where('id', '=', id).execute()).toEqual([])
  })

  it('is attempted three times before it reports failure', async () => {
    const person = await test.signUp()
    const { putFile } = test.ctx.storage
    test.ctx.storage.putFile = async () => {
      throw new Error('no room')
    }
    await ok('POST', '/api/user/exports', person)
    for (const minutes of [0, 0.1, 0.1]) {
      await pass(minutes)
      await test.runJobs()
    }
    expect(await exportsOf(person)).toMatchObject([{ status: 'failed' }])
    test.ctx.storage.putFile = putFile
    expect(await made(person)).toMatchObject({ status: 'ready' })
    expect(fs.readdirSync(makingFolder(test.dataDir))).toEqual([])
  })

  it('is completed by another process if abandoned', async () => {
    const person = await test.signUp()
    const { id } = await ok('POST', '/api/user/exports', person)
    await test.ctx.jobs.forget([id])
    const now = test.clock.now()
    await test.db.updateTable('data_exports').set({ status: 'making', attempts: 1, beat_at: now }).where('id', '=', id).execute()
    await test.ctx.jobs.enqueue('own-data.make-export', { exportId: id })
    await test.runJobs()
    expect(await exportsOf(person)).toMatchObject([{ status: 'making' }])
    test.clock.advance({ seconds: silenceMs / 1000 + 1 })
    await sweep()
    expect(await exportsOf(person)).toMatchObject([{ status: 'ready' }])
  })

  it('keeps the file of the process that took over when the abandoned one finishes late', async () => {
    const person = await test.signUp()
    const { id } = await ok('POST', '/api/user/exports', person)
    const { putFile } = test.ctx.storage
    const [uploading, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    test.ctx.storage.putFile = async (...given) => {
      test.ctx.storage.putFile = putFile
      uploading.resolve()
      await resumed.promise
      return putFile.apply(test.ctx.storage, given)
    }
    const late = runExport(test.ctx, id)
    await uploading.promise
    test.clock.advance({ seconds: silenceMs / 1000 + 1 })
    await runExport(test.ctx, id)
    const [ready] = await exportsOf(person)
    resumed.resolve()
    await late
    expect(await exportsOf(person)).toEqual([ready])
    expect(ready).toMatchObject({ status: 'ready' })
    const { path: link } = (await linkTo(person, id)).json()
    expect((await test.request('GET', link, person)).rawPayload).toHaveLength(ready?.byteSize ?? 0)
    expect(await test.ctx.storage.get(exportKey({ id, attempts: 1 }))).toBeNull()
    await test.runJobs()
    expect((await mailsTo(test, person.email)).filter(({ subject }) => subject.includes('your data is ready'))).toHaveLength(1)
    expect(fs.readdirSync(makingFolder(test.dataDir))).toEqual([])
  })

  it('has a folder for each business the person owns and no others', async () => {
    const owner = await test.signUp()
    const [own, other] = [await addBusiness(test.db), await addBusiness(test.db)]
    await joinBusiness(test.db, owner.user.id, own.id)
    await joinBusiness(test.db, owner.user.id, other.id, 'staff')
    await addProduct(test.db, own.id, { name: 'Blue Dream' })
    const names = [...(await filesOf(owner)).keys()]
    for (const file of ['menu', 'menu-variants']) expect(names).toContain(`businesses/${own.slug}/${file}.json`)
    expect(names.filter((name) => name.includes(other.slug))).toEqual([])
  })

  it('doesn’t reveal that a message request was declined', async () => {
    const person = await test.signUp()
    const [person_id, other_id] = [person.user.id, friend.user.id].toSorted() as [string, string]
    const pair = { id: newId(), person_id, other_id, started_by: person.user.id, declined_at: test.clock.now() }
    await test.db.insertInto('conversations').values(pair).execute()
    const [conversation] = JSON.parse(String((await filesOf(person)).get('data/conversations.json')))
    expect(conversation).toMatchObject({ id: pair.id, startedBy: person.user.id })
    expect(conversation).not.toHaveProperty('declinedAt')
  })
})

describe('deleting an account', () => {
  it('requires the password and a typed confirmation', async () => {
    const person = await test.signUp()
    expect((await ask(person, { password: 'another one' })).statusCode).toBe(400)
    expect((await ask(person, { confirmation: 'yes' })).json()).toMatchObject({ fields: { confirmation: `Type “${deletionPhrase}”` } })
    expect(await ok('GET', '/api/user/deletion', person)).toMatchObject({ dueAt: null, hasPassword: true, businesses: [], communities: [] })
    await test.db.updateTable('users').set({ is_demo: true }).where('id', '=', person.user.id).execute()
    expect((await ask(person)).statusCode).toBe(403)
  })

  it('names the first three businesses to transfer or give up, and counts the others', async () => {
    const person = await test.signUp()
    for (const name of ['Ash', 'Birch', 'Cedar', 'Dogwood', 'Elm']) {
      const business = await addBusiness(test.db, { name, claimed_at: test.clock.now() })
      await joinBusiness(test.db, person.user.id, business.id)
      if (name !== 'Elm') await joinBusiness(test.db, friend.user.id, business.id, 'staff')
    }
    const refusal = async () => (await ask(person)).json().message
    expect(await refusal()).toBe('First transfer Ash, Birch, Cedar and 1 more to someone on the team.')
    await test.db.deleteFrom('business_members').where('user_id', '=', friend.user.id).execute()
    expect(await refusal()).toBe('Confirm that you’re giving up Ash, Birch, Cedar and 2 more, or transfer ownership first.')
    await test.db.deleteFrom('businesses').where('name', 'in', ['Cedar', 'Dogwood', 'Elm']).execute()
    expect(await refusal()).toContain('giving up Ash and Birch, or')
  })

  it('lists obligations that must be settled first', async () => {
    const person = await test.signUp()
    await test.db.updateTable('users').set({ role: 'moderator' }).where('id', '=', person.user.id).execute()
    expect((await ask(person)).json().message).toContain('Ask an admin')
    await test.db.updateTable('users').set({ role: 'member' }).where('id', '=', person.user.id).execute()

    const business = await addBusiness(test.db, { claimed_at: test.clock.now() })
    await joinBusiness(test.db, person.user.id, business.id)
    await joinBusiness(test.db, friend.user.id, business.id, 'staff')
    expect((await ok('GET', '/api/user/deletion', person)).businesses).toMatchObject([{ slug: business.slug, mustHandOver: true }])
    expect((await ask(person, { givesUpBusinesses: true })).statusCode).toBe(409)
    await test.db.deleteFrom('business_members').where('user_id', '=', friend.user.id).execute()
    expect((await ask(person)).statusCode).toBe(409)

    const community = await addCommunity(test.db, { owner: person.user.id, moderators: [friend.user.id] })
    expect((await ask(person, { givesUpBusinesses: true })).json().message).toContain(community.name)
    await ok('PUT', `/api/communities/${community.id}/owner`, person, { personId: friend.user.id })
    expect((await ask(person, { givesUpBusinesses: true })).statusCode).toBe(200)

    await pass(13 * 24)
    await sweep()
    await pass(48)
    await sweep()
    expect(await isThere(person)).toBe(false)
    const left = await test.db.selectFrom('businesses').select('claimed_at').where('id', '=', business.id).executeTakeFirstOrThrow()
    expect(left.claimed_at).toBeNull()
  })

  it('ends every session, and lets a returning person cancel the deletion but not use the site', async () => {
    const person = await test.signUp()
    const elsewhere = await signIn(person)
    await ok('POST', '/api/posts', elsewhere, { title: 'Before', content: 'Words' })
    const { publish } = test.ctx.live
    const signals: LiveSignal[] = []
    test.ctx.live.publish = async (signal) => void signals.push(signal)
    expect((await ask(person)).statusCode).toBe(200)
    test.ctx.live.publish = publish
    expect(signals).toContainEqual({ kind: 'sessions', userIds: [person.user.id] })
    await test.runJobs()
    for (const each of [person, elsewhere]) {
      expect((await test.request('POST', '/api/posts', each, { title: 'After', content: 'Words' })).statusCode).toBe(401)
    }
    expect(await ok('GET', `/api/people/${person.user.id}`, friend)).toMatchObject({ name: 'Member', isProfilePublic: false })

    const back = await signIn(person)
    const { leavesAt } = await ok('GET', '/api/auth/user', back)
    expect(leavesAt).not.toBeNull()
    for (const [method, url, body] of [
      ['POST', '/api/posts', { title: 'After', content: 'Words' }],
      ['GET', '/api/notifications', undefined],
      ['POST', '/api/user/profile', { firstName: 'A', lastName: 'B' }],
      ['GET', '/api/pheno-hunts/01a20095-76a0-76e0-918d-ffc4f2f0a7ef/export.json', undefined],
    ] as const) {
      expect((await test.request(method, url, back, body)).json().code, url).toBe('account_leaving')
    }
    expect(await ok('GET', '/api/user/exports', back)).toEqual([])
    await ok('GET', '/api/sign-in', back)
    await ok('DELETE', '/api/user/deletion', back)
    expect(await ok('GET', `/api/people/${person.user.id}`, friend)).toMatchObject({
      name: `${person.user.firstName} ${person.user.lastName}`,
    })
    await ok('POST', '/api/posts', back, { title: 'After', content: 'Words' })
    const subjects = (await mailsTo(test, person.email)).map(({ subject }) => subject.split(': ')[1])
    expect(subjects.slice(0, 2)).toEqual(['your account won’t be deleted', 'your account will be deleted'])
    await pass(20 * 24)
    await sweep()
    expect(await isThere(person)).toBe(true)
  })

  it('preserves moderators’ decisions about the profile', async () => {
    const person = await test.signUp()
    const state = async () =>
      (await test.db.selectFrom('users').select('profile_moderation').where('id', '=', person.user.id).executeTakeFirstOrThrow())
        .profile_moderation
    await ask(person)
    const { moderatedPerson } = await import('#server/features/people/person.moderated.ts')
    await test.db.transaction().execute((tx) => moderatedPerson.set(tx, test.ctx, person.user.id, 'removed'))
    expect(await state()).toBe('hidden')
    await ok('DELETE', '/api/user/deletion', await signIn(person))
    expect(await state()).toBe('removed')
  })

  it('can be canceled until the last second but not once it has begun', async () => {
    const [late, later] = [await test.signUp(), await test.signUp()]
    await ask(late)
    await ask(later)
    await pass(13 * 24)
    await sweep()
    await pass(48)
    await ok('DELETE', '/api/user/deletion', await signIn(late))
    const back = await signIn(later)
    await test.db.updateTable('account_deletions').set({ began_at: test.clock.now() }).where('user_id', '=', later.user.id).execute()
    expect((await test.request('DELETE', '/api/user/deletion', back)).statusCode).toBe(409)
    await sweep()
    expect([await isThere(late), await isThere(later)]).toEqual([true, false])
  })

  it('never happens right after a clock jump, but only after a reminder that isn’t dated in the future', async () => {
    const person = await test.signUp()
    await ask(person)
    await pass(400 * 24)
    await sweep()
    await sweep()
    expect(await isThere(person)).toBe(true)
    expect((await mailsTo(test, person.email))[0]?.subject).toContain('will be deleted soon')
    await pass(-400 * 24)
    await sweep()
    expect(await isThere(person)).toBe(true)
    await pass(15 * 24)
    // A reminder with a future date doesn't count.
    await sweep()
    expect(await isThere(person)).toBe(true)
    await pass(400 * 24)
    await sweep()
    expect(await isThere(person)).toBe(false)
  })
})

it('leaves no unfinished exports behind', () => {
  expect(fs.existsSync(path.join(test.dataDir, 'making')) ? fs.readdirSync(path.join(test.dataDir, 'making')) : []).toEqual([])
})
