import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FoundMessage, Message } from '#contracts/messages.endpoints.ts'
import { newId } from '#server/kernel/ids.ts'
import { messagesOf } from '#tests/support/messages.ts'
import { pictureWithSecrets, secretsIn } from '#tests/support/pictures.ts'
import { blockPerson } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { uploadsOf } from '#tests/support/uploads.ts'

let test: TestApp
let mail: ReturnType<typeof messagesOf>
let ann: TestPerson
let ben: TestPerson
let id: string

beforeAll(async () => {
  test = await startTestApp()
  mail = messagesOf(test)
})
afterAll(() => test?.close())
beforeEach(async () => {
  ann = await test.signUp({ firstName: 'Ann', lastName: 'Ash' })
  ben = await test.signUp({ firstName: 'Ben', lastName: 'Birch' })
  id = await mail.between(ann, ben)
})

const contents = (messages: Message[]) => messages.map(({ content }) => content)
const statusOf = async (...call: Parameters<TestApp['request']>) => (await test.request(...call)).statusCode

describe('a conversation', () => {
  it('is shared by two people, who see each other in it', async () => {
    expect((await mail.openWith(ben, ann)).id).toBe(id)
    await mail.send(ann, id, 'How are\nthe seedlings?')
    const answer = await mail.send(ben, id, 'Green.')
    expect(answer).toMatchObject({
      sequence: 2,
      conversationId: id,
      isOwn: true,
      sender: { kind: 'person', person: { name: 'Ben Birch' } },
    })
    expect(await mail.conversation(ann, id)).toMatchObject({
      participant: { kind: 'person', person: { id: ben.user.id, name: 'Ben Birch' } },
      as: { kind: 'self' },
      unreadCount: 1,
      lastMessage: { sequence: 2, text: 'Green.', isOwn: false, hasPhotos: false, isRemoved: false },
      isRequest: false,
      isPending: false,
      isBlocked: false,
      abilities: { send: true, sendPhotos: true, accept: false, decline: false },
      sendRefusal: null,
    })
    const [newest, first] = await mail.messages(ann, id)
    expect([newest?.content, first?.content]).toEqual(['Green.', 'How are\nthe seedlings?'])
    expect([newest?.isOwn, newest?.abilities.report, first?.isOwn, first?.abilities.report]).toEqual([false, true, true, false])
    expect((await mail.inbox(ben)).map((each) => each.lastMessage?.text)).toEqual(['Green.'])
  })

  it('stores a message once when it is sent twice', async () => {
    const body = { id: newId(), content: 'Once' }
    const path = `/api/conversations/${id}/messages`
    const answers = await Promise.all([1, 2, 3].map(() => test.request('POST', path, ann, body)))
    expect(answers.map((each) => each.statusCode)).toEqual([201, 201, 201])
    expect(new Set(answers.map((each) => each.body)).size).toBe(1)
    // A retry works even after a block, because the message was sent before it.
    await blockPerson(test.db, ben.user.id, ann.user.id)
    expect(await statusOf('POST', path, ann, body)).toBe(201)
    expect(contents(await mail.messages(ben, id))).toEqual(['Once'])
    expect((await mail.conversation(ben, id)).unreadCount).toBe(1)
    const jobs = await test.db.selectFrom('messages').select('id').where('conversation_id', '=', id).execute()
    expect(jobs).toHaveLength(1)

    const cid = await test.signUp()
    const other = await mail.between(cid, ben)
    expect((await mail.tryToSend(cid, other, 'Mine', { id: body.id })).json().code).toBe('conflict')
    expect((await mail.tryToSend(cid, other, 'Mine', { id: '7d444840-9dc0-41d1-b245-5ffdce74fad2' })).json().fields).toEqual({
      id: 'Must be a UUIDv7',
    })
  })

  it('refuses empty and overlong messages', async () => {
    expect((await mail.tryToSend(ann, id, ' \n ')).json().fields).toEqual({ content: 'Write something first' })
    expect((await mail.tryToSend(ann, id, 'a'.repeat(4001))).statusCode).toBe(400)
    expect((await mail.tryToSend(ann, id, 'Hi', { mediaIds: Array.from({ length: 7 }, newId) })).statusCode).toBe(400)
    expect((await mail.send(ann, id, 'a'.repeat(4000))).content).toHaveLength(4000)
    await mail.send(ann, id, `${'A word too many '.repeat(20)}end`)
    const { lastMessage } = await mail.conversation(ben, id)
    expect(lastMessage?.text).toMatch(/^A word too many .*(word|too|many|A)…$/)
    expect(lastMessage?.text.length).toBeLessThanOrEqual(141)
  })

  it('is read backward in pages and catches up in order', async () => {
    for (let i = 1; i <= 7; i++) await mail.send(i % 2 ? ann : ben, id, `No. ${i}`)
    const first = await test.request('GET', `/api/conversations/${id}/messages?limit=3`, ann)
    expect(contents(first.json())).toEqual(['No. 7', 'No. 6', 'No. 5'])
    await mail.send(ben, id, 'No. 8')
    const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
    expect(contents((await test.request('GET', next, ann)).json())).toEqual(['No. 4', 'No. 3', 'No. 2'])

    const caught = await test.request('GET', `/api/conversations/${id}/messages?after=5&limit=2`, ann)
    expect(contents(caught.json())).toEqual(['No. 6', 'No. 7'])
    const rest = /<([^>]+)>/.exec(String(caught.headers.link))?.[1] ?? ''
    const last = await test.request('GET', rest, ann)
    expect([contents(last.json()), last.headers.link]).toEqual([['No. 8'], undefined])
    expect(await mail.messages(ann, id, '?after=8')).toEqual([])
  })

  it('is listed in the inbox by latest message, page by page', async () => {
    const others = [await test.signUp(), await test.signUp(), await test.signUp()]
    const ids: string[] = []
    for (const other of others) {
      test.clock.advance({ minutes: 1 })
      ids.unshift(await mail.between(other, ann))
      await mail.send(other, ids[0] as string, 'Hello')
    }
    test.clock.advance({ minutes: 1 })
    await mail.send(ann, ids[2] as string, 'Hello back')
    const first = await test.request('GET', '/api/conversations?limit=2', ann)
    expect((first.json() as { id: string }[]).map((each) => each.id)).toEqual([ids[2], ids[0]])
    const second = await test.request('GET', /<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? '', ann)
    expect((second.json() as { id: string }[]).map((each) => each.id)).toEqual([ids[1]])
    expect(second.headers.link).toBeUndefined()
  })
})

describe('the unread count', () => {
  it('goes down as messages are read, which the sender sees if both participants show receipts', async () => {
    for (const text of ['One', 'Two', 'Three']) await mail.send(ann, id, text)
    expect(await mail.unread(ben)).toBe(3)
    expect((await mail.conversation(ann, id)).theirReadSequence).toBe(0)
    expect(await mail.read(ben, id, 2)).toEqual({ conversationId: id, readSequence: 2, unreadCount: 1 })
    expect((await mail.conversation(ann, id)).theirReadSequence).toBe(2)
    expect((await mail.read(ben, id, 1)).readSequence).toBe(2)
    expect(await mail.read(ben, id, 99)).toMatchObject({ readSequence: 3, unreadCount: 0 })
    expect(await mail.unread(ben)).toBe(0)
    await mail.send(ann, id, 'Four')
    expect(await mail.unread(ben)).toBe(1)

    for (const who of [ann, ben]) {
      await mail.settings(who, { showsReadMarks: false })
      for (const each of [ann, ben]) expect((await mail.conversation(each, id)).theirReadSequence).toBeNull()
      await mail.settings(who, { showsReadMarks: true })
    }
    expect((await mail.conversation(ann, id)).theirReadSequence).toBe(3)

    // A block looks the same as turned-off read receipts, so it isn't revealed.
    await test.request('PUT', `/api/people/${ann.user.id}/block`, ben)
    for (const each of [ann, ben]) expect((await mail.conversation(each, id)).theirReadSequence).toBeNull()
    await test.request('DELETE', `/api/people/${ann.user.id}/block`, ben)
    expect((await mail.conversation(ann, id)).theirReadSequence).toBe(3)
  })

  it('excludes muted conversations', async () => {
    await mail.send(ann, id, 'Psst')
    const path = `/api/conversations/${id}/mute`
    for (const isMuted of [true, true]) expect((await test.request('PUT', path, ben)).json()).toEqual({ conversationId: id, isMuted })
    expect(await mail.conversation(ben, id)).toMatchObject({ isMuted: true, unreadCount: 1 })
    expect((await mail.conversation(ann, id)).isMuted).toBe(false)
    expect(await mail.unread(ben)).toBe(0)
    for (const isMuted of [false, false]) expect((await test.request('DELETE', path, ben)).json()).toEqual({ conversationId: id, isMuted })
    expect(await mail.unread(ben)).toBe(1)
  })
})

describe('deleting for one participant', () => {
  it('removes one message', async () => {
    const first = await mail.send(ann, id, 'First')
    const second = await mail.send(ann, id, 'Second')
    expect(await statusOf('DELETE', `/api/messages/${first.id}`, ben)).toBe(204)
    expect(await statusOf('DELETE', `/api/messages/${first.id}`, ben)).toBe(204)
    expect(await mail.unread(ben)).toBe(1)
    expect(contents(await mail.messages(ben, id))).toEqual(['Second'])
    expect(contents(await mail.messages(ben, id, '?after=0'))).toEqual(['Second'])
    expect(contents(await mail.messages(ann, id))).toEqual(['Second', 'First'])
    await test.request('DELETE', `/api/messages/${second.id}`, ben)
    expect(await mail.conversation(ben, id)).toMatchObject({ lastMessage: null, unreadCount: 0 })
    expect(await statusOf('DELETE', `/api/messages/${second.id}`, await test.signUp())).toBe(404)
    expect(await statusOf('DELETE', `/api/messages/${newId()}`, ann)).toBe(404)
  })

  it('removes the conversation so far, which returns with new messages', async () => {
    await mail.send(ann, id, 'Old')
    expect(await statusOf('DELETE', `/api/conversations/${id}`, ben)).toBe(204)
    expect([await mail.inbox(ben), await mail.unread(ben), await mail.messages(ben, id)]).toEqual([[], 0, []])
    expect(contents(await mail.messages(ann, id))).toEqual(['Old'])
    expect((await mail.openWith(ben, ann)).id).toBe(id)
    await mail.send(ann, id, 'New')
    expect((await mail.inbox(ben)).map((each) => [each.lastMessage?.text, each.unreadCount])).toEqual([['New', 1]])
    expect(contents(await mail.messages(ben, id))).toEqual(['New'])
    expect(await mail.unread(ben)).toBe(1)
  })
})

describe('sending a message', () => {
  it('is refused for both people once one blocks the other, and both keep the history', async () => {
    await mail.send(ann, id, 'Before')
    await blockPerson(test.db, ben.user.id, ann.user.id)
    for (const who of [ann, ben]) {
      expect((await mail.tryToSend(who, id, 'After')).statusCode).toBe(403)
      expect(contents(await mail.messages(who, id))).toEqual(['Before'])
    }
    const toAnn = await mail.conversation(ann, id)
    expect(toAnn).toMatchObject({
      isBlocked: false,
      sendRefusal: 'You can’t message Ben Birch.',
      abilities: { send: false, sendPhotos: false },
    })
    expect(toAnn.participant).toMatchObject({ person: { name: 'Ben Birch' } })
    expect(await mail.conversation(ben, id)).toMatchObject({
      isBlocked: true,
      sendRefusal: 'You blocked Ann Ash. Unblock them to write.',
    })
    expect((await mail.openWith(ann, ben)).id).toBe(id)
    const cid = await test.signUp()
    await blockPerson(test.db, cid.user.id, ann.user.id)
    const [blocked, absent] = [cid.user.id, newId()].map((each) => mail.tryToOpen(ann, { kind: 'person', id: each }))
    expect((await blocked)?.statusCode).toBe(404)
    expect((await blocked)?.body).toBe((await absent)?.body)
  })

  it('is refused if the recipient’s account is deleted or the sender is muted or suspended', async () => {
    await mail.send(ann, id, 'Here')
    const later = new Date(test.clock.now().getTime() + 3_600_000)
    await test.db.updateTable('users').set({ muted_until: later }).where('id', '=', ann.user.id).execute()
    expect((await mail.tryToSend(ann, id, 'Muted')).json().code).toBe('muted')
    expect(await mail.conversation(ann, id)).toMatchObject({
      abilities: { send: false },
      sendRefusal: 'For now, you can read but not write here.',
    })
    await test.db.updateTable('users').set({ muted_until: null, suspended_until: later }).where('id', '=', ann.user.id).execute()
    expect((await mail.tryToSend(ann, id, 'Suspended')).json().code).toBe('suspended')
    await test.db.deleteFrom('users').where('id', '=', ann.user.id).execute()
    const left = await mail.conversation(ben, id)
    expect(left).toMatchObject({
      participant: { kind: 'gone', name: 'Member' },
      sendRefusal: 'This account no longer exists.',
      unreadCount: 1,
    })
    expect(await mail.messages(ben, id)).toMatchObject([{ content: 'Here', isOwn: false, sender: { kind: 'gone', name: 'Member' } }])
    expect(await mail.inbox(ben)).toHaveLength(1)
    expect((await mail.tryToSend(ben, id, 'Anybody?')).statusCode).toBe(403)
    expect(await mail.read(ben, id, 1)).toMatchObject({ unreadCount: 0 })
  })

  it('is refused from a person to themselves, to a missing business, and while signed out', async () => {
    expect((await mail.tryToOpen(ann, { kind: 'person', id: ann.user.id })).statusCode).toBe(403)
    expect((await mail.tryToOpen(ann, { kind: 'business', id: newId() })).statusCode).toBe(404)
    expect((await mail.tryToOpen(null, { kind: 'person', id: ann.user.id })).statusCode).toBe(401)
  })
})

describe('a photo', () => {
  it('is visible only to the two participants, without its location metadata', async () => {
    const uploads = uploadsOf(test)
    const photo = await uploads.upload(ann, await pictureWithSecrets('jpeg'))
    const stranger = await test.signUp()
    const statuses = () =>
      Promise.all([ann, ben, stranger, null].map(async (as) => (await uploads.get(`/media/${photo.id}/small.webp`, as)).statusCode))
    expect(await statuses()).toEqual([200, 404, 404, 404])
    expect((await mail.tryToSend(ben, id, '', { mediaIds: [photo.id] })).json().fields.mediaIds).toMatch(/isn’t yours/)
    expect((await mail.tryToSend(ann, id, '', { mediaIds: [photo.id, photo.id] })).json().fields.mediaIds).toBe('Add each photo only once')
    const sent = await mail.send(ann, id, '', { mediaIds: [photo.id] })
    expect(sent.media.map((each) => each.id)).toEqual([photo.id])
    expect(await statuses()).toEqual([200, 200, 404, 404])
    const file = await uploads.get(`/media/${photo.id}/small.webp`, ben)
    expect([file.headers['cache-control'], await secretsIn(file.rawPayload)]).toEqual(['private, no-cache', []])
    expect((await mail.conversation(ben, id)).lastMessage).toMatchObject({ text: '', hasPhotos: true })
    expect((await mail.tryToSend(ann, id, 'Again', { mediaIds: [photo.id] })).json().fields.mediaIds).toMatch(/already shown somewhere/)
    test.clock.advance({ hours: 25 })
    await test.ctx.jobs.enqueue('media.sweep', {})
    await test.runJobs()
    expect(await statuses()).toEqual([200, 200, 404, 404])
    await test.request('DELETE', `/api/messages/${sent.id}`, ben)
    expect(await statuses()).toEqual([200, 404, 404, 404])
  })
})

describe('search', () => {
  const search = async (as: TestPerson, q: string, query = '') =>
    ((await test.request('GET', `/api/messages/search?q=${encodeURIComponent(q)}${query}`, as)).json() as FoundMessage[]).map(
      ({ message }) => message.content,
    )

  it('finds only messages in the person’s own conversations that they haven’t deleted', async () => {
    const cid = await test.signUp()
    const theirs = await mail.between(ben, cid)
    await mail.send(ann, id, 'The Larkspur cuttings rooted')
    await mail.send(ben, id, 'My larkspur did not, 100%_sure')
    await mail.send(cid, theirs, 'larkspur elsewhere')
    expect(await search(ann, 'LARKSPUR')).toEqual(['My larkspur did not, 100%_sure', 'The Larkspur cuttings rooted'])
    expect(await search(ann, 'larkspur rooted')).toEqual(['The Larkspur cuttings rooted'])
    expect(await search(ben, 'larkspur')).toHaveLength(3)
    expect(await search(ann, '0%_s')).toHaveLength(1)
    expect(await search(ann, '0_%s')).toEqual([])
    expect([await search(ann, ' '), await search(await test.signUp(), 'larkspur')]).toEqual([[], []])

    const [mine] = await mail.messages(ann, id)
    await test.request('DELETE', `/api/messages/${mine?.id}`, ann)
    expect(await search(ann, 'larkspur')).toEqual(['The Larkspur cuttings rooted'])
    await test.request('DELETE', `/api/conversations/${id}`, ann)
    expect(await search(ann, 'larkspur')).toEqual([])
    expect(await search(ben, 'rooted')).toHaveLength(1)
  })

  it('limits how far back each page of the search looks, and continues from there', async () => {
    await sql`
      insert into messages (id, conversation_id, sequence, sender_id, recipient_id, content, created_at)
      select gen_random_uuid(), ${id}::uuid, n, ${ann.user.id}::uuid, ${ben.user.id}::uuid,
        case when n in (3, 4, 9000) then 'Henbane' else 'Nothing' end, ${test.clock.now()}::timestamptz - (10000 - n) * interval '1 second'
      from generate_series(1, 10000) n`.execute(test.db)
    const pages: number[][] = []
    let url = '/api/messages/search?q=henbane'
    while (url && pages.length < 5) {
      const answer = await test.request('GET', url, ben)
      pages.push((answer.json() as FoundMessage[]).map(({ message }) => message.sequence))
      url = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1] ?? ''
    }
    expect(pages).toEqual([[9000], [4, 3], []])
  })

  it('paginates during inserts', async () => {
    for (let i = 1; i <= 5; i++) {
      test.clock.advance({ seconds: 1 })
      await mail.send(i % 2 ? ann : ben, id, `Foxglove ${i}`)
      await mail.send(ann, id, 'Between')
    }
    const found: string[] = []
    let url = '/api/messages/search?q=foxglove&limit=2'
    for (let page = 0; url && page < 9; page++) {
      const answer = await test.request('GET', url, ben)
      found.push(...(answer.json() as FoundMessage[]).map(({ message }) => message.content))
      url = /<([^>]+)>/.exec(String(answer.headers.link ?? ''))?.[1] ?? ''
      await mail.send(ann, id, `Foxglove later ${page}`)
    }
    expect(found).toEqual([5, 4, 3, 2, 1].map((i) => `Foxglove ${i}`))
  })
})

it('replaces a hidden message with a placeholder for the other participant, and a removed one for both', async () => {
  const sent = await mail.send(ann, id, 'Out of bounds')
  const seen = async (as: TestPerson) => {
    const [message] = await mail.messages(as, id)
    const { lastMessage } = await mail.conversation(as, id)
    const found = (await test.request('GET', '/api/messages/search?q=bounds', as)).json() as FoundMessage[]
    return [message?.content, message?.isRemoved, lastMessage?.text, lastMessage?.isRemoved, found.length]
  }
  const shown = ['Out of bounds', false, 'Out of bounds', false, 1]
  const gone = ['', true, '', true, 0]
  expect([await seen(ann), await seen(ben)]).toEqual([shown, shown])
  const set = (moderation: 'hidden' | 'removed') => test.db.updateTable('messages').set({ moderation }).where('id', '=', sent.id).execute()
  await set('hidden')
  expect([await seen(ann), await seen(ben)]).toEqual([shown, gone])
  await set('removed')
  expect([await seen(ann), await seen(ben)]).toEqual([gone, gone])
})
